import { SimpleGrid, Stack } from "@chakra-ui/react";
import type { UseFormReturn } from "react-hook-form";
import { parseAmount } from "@/lib/money";
import { months } from "@/lib/months";
import { amountFaults } from "@/lib/texts/money";
import { savingsTexts } from "@/lib/texts/savings";
import { Button } from "@/ui/Button";
import { AmountField, LongField, SelectField, Switch, TextField } from "@/ui/fields";

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

/** A rule for an amount field of a form. */
export function checkAmount(text: string): true | string {
  const parsed = parseAmount(text);
  return "fault" in parsed ? amountFaults[parsed.fault] : true;
}

const capacityFits = (text: string) =>
  (/^\d+$/.test(text.trim()) && Number(text) >= 2 && Number(text) <= 10_000) || faults.capacity;

const nameFits = (text: string) => (text.trim().length >= 3 && text.trim().length <= 60) || faults.name;

export const descriptionRule = { maxLength: { value: 500, message: faults.description } };
export const nameRule = { validate: nameFits };

export function GroupForm({ form, onReview }: { form: UseFormReturn<GroupDraft>; onReview: () => void }) {
  const { register, formState, handleSubmit } = form;
  const { errors } = formState;
  return (
    <form onSubmit={handleSubmit(onReview)} noValidate>
      <Stack gap="5">
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
          error={errors.description?.message}
          {...register("description", descriptionRule)}
        />
        <AmountField
          label={t.amount}
          placeholder="0.00"
          error={errors.amount?.message}
          {...register("amount", { validate: checkAmount })}
        />
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
          <TextField
            label={t.capacity}
            inputMode="numeric"
            help={t.capacityHelp}
            error={errors.memberCapacity?.message}
            {...register("memberCapacity", { validate: capacityFits })}
          />
          <SelectField label={t.startMonth} error={errors.startMonthId?.message} {...register("startMonthId")}>
            {months.map((month) => (
              <option key={month.id} value={month.id}>
                {month.name}
              </option>
            ))}
          </SelectField>
        </SimpleGrid>
        <Switch label={t.showTotal} help={t.showTotalHelp} {...register("showTotalBalance")} />
        <Button type="submit" size="lg" fullWidth>
          {t.next}
        </Button>
      </Stack>
    </form>
  );
}
