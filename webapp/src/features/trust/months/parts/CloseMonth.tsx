import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { closeMonth } from "@/api/months";
import type { Months } from "@/api/schema.gen";
import { useActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { SelectField } from "@/ui/form/fields";
import { monthsTexts } from "../texts";

const t = monthsTexts.close;

/** Which month to close next, and how closely to look at it. */
export function CloseMonth({ months, onClosed }: { months: Months; onClosed: (next: Months) => void }) {
  const [month, setMonth] = useState(months.toClose[0]?.month ?? "");
  const [margin, setMargin] = useState<keyof typeof t.margins>(5);
  const { busy, act } = useActs([]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const done = await act(`closeMonth:${months.id}:${month}:${margin}`, (key) =>
      closeMonth(key, months.id, month, margin),
    );
    if (done) onClosed(done.value);
  };
  if (months.toClose.length === 0) return null;
  return (
    <Card title={t.title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          <SelectField
            label={t.month}
            value={month}
            help={months.months.length === 0 ? t.first : undefined}
            onChange={(event) => setMonth(event.target.value)}
          >
            {months.toClose.map((one) => (
              <option key={one.month} value={one.month}>
                {t.option(one.label, one.payments)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t.margin}
            value={margin}
            onChange={(event) => setMargin(Number(event.target.value) === 2 ? 2 : 5)}
          >
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
