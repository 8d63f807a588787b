import { SimpleGrid, Stack } from "@chakra-ui/react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { ajoWords } from "@/lib/texts/ajo";
import { Choice } from "@/ui/form/Choice";
import { AmountField, LongField, SelectField, TextField } from "@/ui/form/fields";
import { createTexts as t } from "../texts";
import { type AjoDraft, amountFits, dueDayFits, seatsFit, startMonths } from "./draft";
import { Rules } from "./Rules";

export type Form = { form: UseFormReturn<AjoDraft> };

const frequencies = ["MONTHLY", "BIWEEKLY", "WEEKLY"] as const;

/** What each pays, how often, and from when on. */
export function MoneyTerms({ form: { register, formState } }: Form) {
  const { errors } = formState;
  return (
    <>
      <AmountField
        label={t.amount}
        help={t.amountHelp}
        placeholder="0.00"
        error={errors.amount?.message}
        {...register("amount", { validate: amountFits })}
      />
      <TextField
        label={t.seats}
        help={t.seatsHelp}
        inputMode="numeric"
        error={errors.seats?.message}
        {...register("seats", { validate: seatsFit })}
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
        <SelectField label={t.frequency} {...register("frequency")}>
          {frequencies.map((value) => (
            <option key={value} value={value}>
              {ajoWords.frequency[value]}
            </option>
          ))}
        </SelectField>
        <SelectField label={t.start} error={errors.start?.message} {...register("start")}>
          {startMonths().map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      </SimpleGrid>
      <TextField
        label={t.dueDay}
        help={t.dueDayHelp}
        inputMode="numeric"
        error={errors.dueDay?.message}
        {...register("dueDay", { validate: dueDayFits })}
      />
    </>
  );
}

function Money({ form }: Form) {
  const { register, formState } = form;
  return (
    <>
      <TextField
        label={t.name}
        maxLength={60}
        error={formState.errors.name?.message}
        {...register("name", { validate: (name) => name.trim().length >= 3 || t.faults.name })}
      />
      <LongField label={t.description} optional maxLength={500} {...register("description")} />
      <MoneyTerms form={form} />
    </>
  );
}

const orders = (["RANDOM", "JOIN_ORDER", "MANUAL", "NEED", "BIDDING"] as const).map((value) => ({
  value,
  ...t.orders[value],
}));

/** Who collects when. */
export function OrderTerms({ form: { control } }: Form) {
  return (
    <Controller
      control={control}
      name="order"
      render={({ field }) => (
        <Choice legend={t.order} name={field.name} value={field.value} options={orders} onChange={field.onChange} />
      )}
    />
  );
}

const draws = (["BEACON", "PHONES"] as const).map((value) => ({ value, ...t.draws[value] }));

function Order({ form }: Form) {
  return (
    <>
      <OrderTerms form={form} />
      {form.watch("order") !== "JOIN_ORDER" && (
        <Controller
          control={form.control}
          name="draw"
          render={({ field }) => (
            <Choice legend={t.draw} name={field.name} value={field.value} options={draws} onChange={field.onChange} />
          )}
        />
      )}
    </>
  );
}

/** The steps, with the fields that each asks for. */
export const ajoSteps = [
  { name: "money", fields: ["name", "description", "amount", "seats", "frequency", "start", "dueDay"], Fields: Money },
  { name: "order", fields: ["order", "draw"], Fields: Order },
  { name: "rules", fields: ["deposit", "listed", "hands", "past", "collected"], Fields: Rules },
] as const satisfies {
  name: keyof typeof t.steps;
  fields: (keyof AjoDraft)[];
  Fields: (props: Form) => unknown;
}[];

/** The fields that the server names otherwise. */
export const ajoFields: Record<string, keyof AjoDraft> = {
  memberCapacity: "seats",
  duration: "seats",
  startMonthId: "start",
  year: "start",
  existing: "past",
};

/** Which step asks for a field. */
export const stepOf = (field: string) =>
  ajoSteps.findIndex(({ fields }) => (fields as readonly string[]).includes(field));

export function StepFields({ at, form }: Form & { at: number }) {
  const Fields = ajoSteps[at]?.Fields;
  return <Stack gap="5">{Fields && <Fields form={form} />}</Stack>;
}
