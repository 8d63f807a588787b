import { Box, chakra, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { type OpenCard, openAjoCard } from "@/api/ajoCards";
import { amountFits } from "@/lib/amountFits";
import { parseAmount, toNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { dropUnsaved, useUnsaved } from "@/store/unsaved";
import { useCommand } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { AmountField, SelectField, TextField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { newCardTexts as t } from "../texts";

const MONTH = 31;
const MOST = 60;

interface Draft {
  name: string;
  amount: string;
  frequency: OpenCard["frequency"];
  boxes: string;
}

function requestOf({ name, amount, frequency, boxes }: Draft): OpenCard {
  const parsed = parseAmount(amount);
  return {
    name: name.trim(),
    amount: "kobo" in parsed ? toNaira(parsed.kobo) : 0,
    frequency,
    boxes: frequency === "DAILY" ? MONTH : Number(boxes),
  };
}

function useOpening() {
  const navigate = useNavigate();
  const refreshTopics = useStore((state) => state.refreshTopics);
  const form = useForm<Draft>({ defaultValues: { name: "", amount: "", frequency: "DAILY", boxes: "12" } });
  useUnsaved(form.formState.isDirty);
  const { state, run } = useCommand({ name: "openAjoCard", send: openAjoCard });
  const submit = useSubmit(form, {
    send: (draft) => run(requestOf(draft)),
    onDone: (opened) => {
      succeed(opened.message);
      dropUnsaved();
      refreshTopics(["ajo"]);
      navigate(paths.ajoCard(opened.value.id), { replace: true });
    },
  });
  return { form, submit, sending: state === "sending" };
}

/** An individual ajo: what a box is worth, and how many there are. */
export function NewCard() {
  const { form, submit, sending } = useOpening();
  const { register, formState, watch } = form;
  const { errors } = formState;
  const daily = watch("frequency") === "DAILY";
  const boxesFit = (text: string) =>
    daily || (/^\d+$/.test(text.trim()) && Number(text) >= 2 && Number(text) <= MOST) || t.faults.boxes;
  return (
    <Box maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajoCards}>{t.back}</BackLink>
      <CardBox>
        <chakra.h1 textStyle="title">{t.title}</chakra.h1>
        <chakra.p color="fg.muted" mt="1" mb="6">
          {t.lead}
        </chakra.p>
        <form onSubmit={submit} noValidate>
          <Stack gap="5">
            <TextField
              label={t.name}
              maxLength={60}
              error={errors.name?.message}
              {...register("name", { validate: (name) => name.trim().length >= 3 || t.faults.name })}
            />
            <AmountField
              label={t.amount}
              placeholder="0.00"
              error={errors.amount?.message}
              {...register("amount", { validate: amountFits })}
            />
            <SelectField label={t.frequency} help={daily ? t.dailyHelp : undefined} {...register("frequency")}>
              {Object.entries(t.frequencies).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </SelectField>
            {!daily && (
              <TextField
                label={t.boxes}
                help={t.boxesHelp}
                inputMode="numeric"
                error={errors.boxes?.message}
                {...register("boxes", { validate: boxesFit })}
              />
            )}
            <Button type="submit" size="lg" fullWidth loading={sending}>
              {t.submit}
            </Button>
          </Stack>
        </form>
      </CardBox>
    </Box>
  );
}
