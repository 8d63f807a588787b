import { SimpleGrid, Stack } from "@chakra-ui/react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { descriptionRule, nameRule } from "@/features/groups/frame";
import { amountFits } from "@/lib/amountFits";
import { months } from "@/lib/months";
import { savingsTexts } from "@/lib/texts/savings";
import { Choice } from "@/ui/form/Choice";
import { AmountField, LongField, SelectField, TextField } from "@/ui/form/fields";
import { createTexts } from "../texts";

const t = savingsTexts.form;
const { faults } = savingsTexts;

export interface GroupDraft {
  name: string;
  description: string;
  amount: string;
  memberCapacity: string;
  startMonthId: string;
  showTotalBalance: boolean;
}

const capacityFits = (text: string) =>
  (/^\d+$/.test(text.trim()) && Number(text) >= 3 && Number(text) <= 10_000) || faults.capacity;

type Form = { form: UseFormReturn<GroupDraft> };

function What({ form: { register, formState } }: Form) {
  const { errors } = formState;
  return (
    <>
      <TextField
        label={t.name}
        help={t.nameHelp}
        maxLength={60}
        error={errors.name?.message}
        {...register("name", nameRule)}
      />
      <LongField
        label={t.description}
        optional
        help={createTexts.descriptionHelp}
        error={errors.description?.message}
        {...register("description", descriptionRule)}
      />
    </>
  );
}

function Money({ form: { register, formState } }: Form) {
  const { errors } = formState;
  return (
    <>
      <AmountField
        label={t.amount}
        placeholder="0.00"
        help={createTexts.amountHelp}
        error={errors.amount?.message}
        {...register("amount", { validate: amountFits })}
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
        <TextField
          label={t.capacity}
          inputMode="numeric"
          help={t.capacityHelp}
          error={errors.memberCapacity?.message}
          {...register("memberCapacity", { validate: capacityFits })}
        />
        <SelectField
          label={t.startMonth}
          help={createTexts.startHelp}
          error={errors.startMonthId?.message}
          {...register("startMonthId")}
        >
          {months.map((month) => (
            <option key={month.id} value={month.id}>
              {month.name}
            </option>
          ))}
        </SelectField>
      </SimpleGrid>
    </>
  );
}

const sights = [
  { value: "seen", ...createTexts.seen },
  { value: "hidden", ...createTexts.hidden },
];

function Sight({ form: { control } }: Form) {
  return (
    <Controller
      control={control}
      name="showTotalBalance"
      render={({ field }) => (
        <Choice
          legend={createTexts.seenLegend}
          name={field.name}
          value={field.value ? "seen" : "hidden"}
          options={sights}
          onChange={(value) => field.onChange(value === "seen")}
        />
      )}
    />
  );
}

/** The steps before the summary, with the fields that each asks for. */
export const groupSteps = [
  { name: "what", fields: ["name", "description"], Fields: What },
  { name: "money", fields: ["amount", "memberCapacity", "startMonthId"], Fields: Money },
  { name: "sight", fields: ["showTotalBalance"], Fields: Sight },
] as const satisfies {
  name: keyof typeof createTexts.steps;
  fields: (keyof GroupDraft)[];
  Fields: (props: Form) => unknown;
}[];

/** Which step asks for a field. */
export const stepOf = (field: string) =>
  groupSteps.findIndex(({ fields }) => (fields as readonly string[]).includes(field));

export function StepFields({ at, form }: Form & { at: number }) {
  const Fields = groupSteps[at]?.Fields;
  return <Stack gap="5">{Fields && <Fields form={form} />}</Stack>;
}
