import { SimpleGrid, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import type { Account } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";
import { amountText, parseAmount, toKobo, toNaira } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { amountFaults } from "@/lib/texts/money";
import { useStore } from "@/store/store";
import { AmountField, TextField } from "@/ui/form/fields";
import { editTexts } from "../texts";
import { SaveRow, useSaving } from "./Section";

const t = editTexts.documents;

interface SalaryForm {
  monthlySalaray: string;
  /** YYYY-MM-DD: counted from the start of that day. */
  dateForSalary: string;
}

const amountFault = (typed: string) => {
  if (typed.trim() === "") return true;
  const parsed = parseAmount(typed);
  return "fault" in parsed ? amountFaults[parsed.fault] : true;
};

function amountOf(typed: string): number | undefined {
  const parsed = parseAmount(typed);
  return "kobo" in parsed ? toNaira(parsed.kobo) : undefined;
}

export function Salary({ account }: { account: Account }) {
  const saveProfile = useStore((state) => state.saveProfile);
  const { monthlySalaray, dateForSalary } = account;
  const form = useForm<SalaryForm>({
    values: {
      monthlySalaray: monthlySalaray === undefined ? "" : amountText(toKobo(monthlySalaray)),
      dateForSalary: dateForSalary ? lagosDay(dateForSalary) : "",
    },
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useSaving(form, {
    save: (typed) => {
      const salary = amountOf(typed.monthlySalaray);
      return saveProfile({
        ...(salary === undefined ? {} : { monthlySalaray: salary }),
        ...(typed.dateForSalary ? { dateForSalary: typed.dateForSalary } : {}),
      });
    },
    notAnswered: errorTexts.notAnswered.updateInfo,
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="5">
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
          <AmountField
            label={t.salary}
            placeholder="0.00"
            error={errors.monthlySalaray?.message}
            {...form.register("monthlySalaray", { validate: amountFault })}
          />
          <TextField
            label={t.salaryDate}
            type="date"
            help={t.salaryDateHelp}
            error={errors.dateForSalary?.message}
            {...form.register("dateForSalary")}
          />
        </SimpleGrid>
        <SaveRow {...saving} />
      </Stack>
    </form>
  );
}
