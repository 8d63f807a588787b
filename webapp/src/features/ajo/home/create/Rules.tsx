import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { previewAjo } from "@/api/ajos";
import { ajoWords } from "@/lib/texts/ajo";
import { useRead } from "@/store/useRead";
import { Choice } from "@/ui/form/Choice";
import { SelectField, Switch, TextField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { FigureSkeleton } from "@/ui/Skeletons";
import { Calendar, Sums } from "../parts/Terms";
import { createTexts as t, termsTexts } from "../texts";
import { type AjoDraft, collectedFits, pastFits, pastOf, termsOf } from "./draft";
import type { Form } from "./Steps";

const deposits = (["0", "1", "2"] as const).map((value) => ({ value, ...t.deposits[value] }));
const doors = [
  { value: "friends", ...t.friends },
  { value: "strangers", ...t.strangers },
];
const hands = [
  { value: "1", ...t.oneHand },
  { value: "0.5", ...t.halfHand },
] as const;

/** What the draft's terms come to, as the server has it. */
export function Preview({ draft }: { draft: AjoDraft }) {
  const terms = termsOf(draft);
  const key = `ajoPreview:${JSON.stringify(terms)}`;
  const { remote, load } = useRead({ key, area: "ajo", read: () => previewAjo(terms) });
  return (
    <Stack as="section" gap="3" aria-label={termsTexts.title}>
      <chakra.h2 textStyle="section">{termsTexts.title}</chakra.h2>
      <Loaded remote={remote} skeleton={<FigureSkeleton />} onRetry={load}>
        {(preview) => (
          <>
            <Sums preview={preview} />
            <Calendar preview={preview} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** The cycles that were over before, for an ajo that runs already. */
export function PastCycles({ form: { register, formState, watch } }: Form) {
  const draft = watch();
  return (
    <>
      <TextField
        label={t.pastCycles}
        inputMode="numeric"
        help={t.pastPaid}
        error={formState.errors.past?.message}
        {...register("past", {
          validate: { fits: pastFits, once: (_, values) => collectedFits(values) },
        })}
      />
      {pastOf(draft).map(({ cycle }) => (
        <SelectField
          key={cycle}
          label={t.pastSeat(cycle)}
          defaultValue={String(cycle)}
          {...register(`collected.${cycle - 1}`)}
        >
          {Array.from({ length: Number(draft.seats) || 0 }, (_, at) => (
            <option key={ajoWords.seat(at + 1)} value={at + 1}>
              {ajoWords.seat(at + 1)}
            </option>
          ))}
        </SelectField>
      ))}
    </>
  );
}

function Existing({ form }: Form) {
  const { watch, setValue } = form;
  const [open, setOpen] = useState(Number(watch("past")) > 0);
  return (
    <Stack gap="4">
      <Switch
        label={t.runs}
        help={t.runsHelp}
        checked={open}
        onChange={() => {
          setValue("past", open ? "0" : "1");
          setOpen(!open);
        }}
      />
      {open && <PastCycles form={form} />}
    </Stack>
  );
}

/** What is paid before the start; strangers always deposit. */
export function DepositTerms({ form: { control, watch } }: Form) {
  return (
    <Controller
      control={control}
      name="deposit"
      render={({ field }) => (
        <Choice
          legend={t.deposit}
          name={field.name}
          value={field.value}
          options={watch("listed") ? deposits.slice(1) : deposits}
          onChange={field.onChange}
        />
      )}
    />
  );
}

export function Rules({ form }: Form) {
  const { control, watch, setValue } = form;
  return (
    <>
      <Controller
        control={control}
        name="listed"
        render={({ field }) => (
          <Choice
            legend={t.listed}
            name={field.name}
            value={field.value ? "strangers" : "friends"}
            options={doors}
            onChange={(value) => {
              field.onChange(value === "strangers");
              if (value === "strangers" && form.getValues("deposit") === "0") setValue("deposit", "1");
            }}
          />
        )}
      />
      <DepositTerms form={form} />
      <Controller
        control={control}
        name="hands"
        render={({ field }) => (
          <Choice
            legend={t.hands}
            name={field.name}
            value={field.value}
            options={[...hands]}
            onChange={field.onChange}
          />
        )}
      />
      <Existing form={form} />
      <Preview draft={watch()} />
    </>
  );
}
