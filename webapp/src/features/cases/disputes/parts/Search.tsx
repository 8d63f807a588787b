import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { searchMoney } from "@/api/disputes";
import type { MoneyFind } from "@/api/schema.gen";
import { amountFits } from "@/lib/amountFits";
import { lagosDay } from "@/lib/dates";
import { amountText, parseAmount, toKobo, toNaira } from "@/lib/money";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { AmountField, TextField } from "@/ui/form/fields";
import { newTexts as t } from "../texts";
import { Finds } from "./Finds";

interface Wish {
  amount: number;
  day: string;
}

type Answer = { state: "none" | "busy" } | { state: "failed"; text: string } | { state: "found"; finds: MoneyFind[] };

interface SearchProps {
  /** What the fields begin with. */
  amount?: number;
  day?: string;
  onBack: () => void;
  /** Goes on, with what was looked for and with money that is theirs. */
  onGo: (wish: Wish, claimed?: MoneyFind) => void;
}

function useSearching({ amount, day }: Pick<SearchProps, "amount" | "day">) {
  const [wish, setWish] = useState<Wish>();
  const [answer, setAnswer] = useState<Answer>({ state: "none" });
  const form = useForm({
    defaultValues: { amount: amount === undefined ? "" : amountText(toKobo(amount)), day: day ?? lagosDay() },
  });
  const submit = useSubmit(form, {
    send: async (typed) => {
      const parsed = parseAmount(typed.amount);
      if ("fault" in parsed) return undefined;
      const wanted = { amount: toNaira(parsed.kobo), day: typed.day };
      setWish(wanted);
      setAnswer({ state: "busy" });
      return searchMoney(wanted.amount, wanted.day);
    },
    onDone: ({ value }) => setAnswer({ state: "found", finds: value.found }),
    onFailed: ({ field }, text) => {
      const isOfField = field === "amount" || field === "day";
      setAnswer(isOfField ? { state: "none" } : { state: "failed", text });
      return !isOfField;
    },
  });
  /** What was found belongs to what was looked for. */
  const forget = () => setAnswer({ state: "none" });
  return { form, submit, wish, answer, forget };
}

/** Looks for the money before anything is opened: much of what seems lost waits somewhere. */
export function Search({ onBack, onGo, ...begin }: SearchProps) {
  const { form, submit, wish, answer, forget } = useSearching(begin);
  const { errors } = form.formState;
  return (
    <Stack gap="5">
      <form onSubmit={submit} onChange={forget} noValidate>
        <Stack gap="5">
          <chakra.p color="fg.muted">{t.moneyLead}</chakra.p>
          <AmountField
            label={t.amount}
            placeholder="0.00"
            error={errors.amount?.message}
            {...form.register("amount", { validate: amountFits })}
          />
          <TextField
            label={t.day}
            type="date"
            max={lagosDay()}
            error={errors.day?.message}
            help={t.dayHelp}
            {...form.register("day", { validate: (day) => (day !== "" && day <= lagosDay()) || t.dayFault })}
          />
          <Flex gap="3" wrap="wrap">
            <Button variant="outline" onClick={onBack}>
              {t.back}
            </Button>
            <Button
              type="submit"
              variant={answer.state === "found" ? "outline" : "primary"}
              loading={answer.state === "busy"}
            >
              {t.search}
            </Button>
          </Flex>
        </Stack>
      </form>
      {answer.state === "failed" && (
        <Note tone="warning" title={answer.text} live>
          {t.kept}
        </Note>
      )}
      {answer.state === "found" && wish && <Finds finds={answer.finds} onGo={(claimed) => onGo(wish, claimed)} />}
    </Stack>
  );
}
