import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { closeMonth } from "@/api/months";
import type { Months } from "@/api/schema.gen";
import { useActs } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { SelectField } from "@/ui/form/fields";
import { monthsTexts } from "../texts";

const t = monthsTexts.close;

type Margin = keyof typeof t.margins;

/** Which month to close next, and how closely to look at it. */
export function CloseMonth({ months, onClosed }: { months: Months; onClosed: (next: Months) => void }) {
  const form = useForm({
    defaultValues: { month: months.toClose[0]?.month ?? "", margin: 5 satisfies Margin as Margin },
  });
  const { busy, act } = useActs([]);
  const submit = useSubmit(form, {
    send: ({ month, margin }) =>
      act(`closeMonth:${months.id}:${month}:${margin}`, (key) => closeMonth(key, months.id, month, margin)),
    onDone: ({ value }) => onClosed(value),
  });
  if (months.toClose.length === 0) return null;
  return (
    <Card title={t.title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          <SelectField
            label={t.month}
            help={months.months.length === 0 ? t.first : undefined}
            {...form.register("month")}
          >
            {months.toClose.map((one) => (
              <option key={one.month} value={one.month}>
                {t.option(one.label, one.payments)}
              </option>
            ))}
          </SelectField>
          <SelectField label={t.margin} {...form.register("margin", { valueAsNumber: true })}>
            <option value={5}>{t.margins[5]}</option>
            <option value={2}>{t.margins[2]}</option>
          </SelectField>
          <chakra.p textStyle="small" color="fg.muted">
            {t.always}
          </chakra.p>
          <Flex>
            <Button type="submit" loading={busy !== undefined}>
              {t.yes}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Card>
  );
}
