import { chakra, SimpleGrid, Stack } from "@chakra-ui/react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { amountFits } from "@/lib/amountFits";
import { formatKobo, type Kobo, parseAmount, toNaira } from "@/lib/money";
import { type PenaltyType, parsePercent, penaltyOf } from "@/lib/penalty";
import { Note } from "@/ui/bits";
import { Choice } from "@/ui/form/Choice";
import { AmountField, TextField } from "@/ui/form/fields";
import { lateTexts as t } from "../texts";

export interface LateDraft {
  graceDays: string;
  penaltyType: PenaltyType | "NONE";
  penaltyAmount: string;
  penaltyPercent: string;
}

export const freshLate: LateDraft = { graceDays: "3", penaltyType: "NONE", penaltyAmount: "", penaltyPercent: "" };

type Drafts = LateDraft & { amountPayable: string };

const types = (Object.keys(t.types) as LateDraft["penaltyType"][]).map((value) => ({ value, ...t.types[value] }));
const kobo = (text: string): Kobo | undefined => {
  const parsed = parseAmount(text);
  return "kobo" in parsed ? parsed.kobo : undefined;
};
const days = (text: string) => (/^\d{1,2}$/.test(text.trim()) && Number(text) <= 60 ? Number(text) : undefined);

const inAmount = (type: LateDraft["penaltyType"]) => type === "FLAT" || type === "PERCENT_CAPPED";
const inPercent = (type: LateDraft["penaltyType"]) => type === "PERCENT" || type === "PERCENT_CAPPED";

/** The terms as the server takes them; nothing where being late costs nothing. */
export function lateTerms({ graceDays, penaltyType: type, penaltyAmount, penaltyPercent }: LateDraft) {
  if (type === "NONE") return {};
  return {
    graceDays: days(graceDays) ?? 0,
    penaltyType: type,
    ...(inAmount(type) ? { penaltyAmount: toNaira(kobo(penaltyAmount) ?? 0) } : {}),
    ...(inPercent(type) ? { penaltyPercent: (parsePercent(penaltyPercent) ?? 0) / 100 } : {}),
  };
}

/** An example of the terms, with the figures typed. */
function Example({ draft }: { draft: Drafts }) {
  const { penaltyType: type } = draft;
  const due = kobo(draft.amountPayable);
  const grace = days(draft.graceDays);
  const amount = inAmount(type) ? kobo(draft.penaltyAmount) : 0;
  const basisPoints = inPercent(type) ? parsePercent(draft.penaltyPercent) : 0;
  if (type === "NONE" || due === undefined || grace === undefined || amount === undefined || basisPoints === undefined)
    return null;
  const penalty = penaltyOf(due, { type, amount, basisPoints });
  return (
    <Note title={t.exampleTitle} live>
      <p data-late-example>{t.example(formatKobo(due), grace, formatKobo(penalty), formatKobo(due + penalty))}</p>
      <chakra.p mt="1">{t.frozen}</chakra.p>
    </Note>
  );
}

/** The terms for paying late: grace, and a penalty by amount or percent, with an example in naira. */
export function LateTermsFields<D extends Drafts>({ form: given }: { form: UseFormReturn<D> }) {
  const form = given as unknown as UseFormReturn<Drafts>;
  const { register, control, formState, watch } = form;
  const { errors } = formState;
  const draft = watch();
  const type = draft.penaltyType;
  return (
    <Stack gap="4">
      <Controller
        control={control}
        name="penaltyType"
        render={({ field }) => (
          <Choice legend={t.legend} name={field.name} value={field.value} options={types} onChange={field.onChange} />
        )}
      />
      {type !== "NONE" && (
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          {inPercent(type) && (
            <TextField
              label={t.percent}
              inputMode="decimal"
              error={errors.penaltyPercent?.message}
              {...register("penaltyPercent", {
                validate: (text) => parsePercent(text) !== undefined || t.percentFault,
              })}
            />
          )}
          {inAmount(type) && (
            <AmountField
              label={type === "FLAT" ? t.amount : t.cap}
              placeholder="0.00"
              error={errors.penaltyAmount?.message}
              {...register("penaltyAmount", { validate: amountFits })}
            />
          )}
          <TextField
            label={t.grace}
            inputMode="numeric"
            help={t.graceHelp}
            error={errors.graceDays?.message}
            {...register("graceDays", { validate: (text) => days(text) !== undefined || t.graceFault })}
          />
        </SimpleGrid>
      )}
      <Example draft={draft} />
    </Stack>
  );
}
