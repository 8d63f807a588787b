import { Box, chakra, Stack } from "@chakra-ui/react";
import type { Ajo } from "@/api/schema.gen";
import { Debt } from "@/features/ajo/pay";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { screenTexts } from "@/lib/texts/common";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import type { Next } from "../next";
import { debtTexts, potTexts as t } from "../texts";
import { Members } from "./Members";
import { MyDue } from "./MyDue";
import { Payers } from "./Payers";

interface PaymentsProps {
  ajo: Ajo;
  /** The action bar offers it already. */
  next: Next;
}

/** What is owed in this ajo; nothing where nobody owes anything. */
function Debts({ ajo: { debts }, next }: PaymentsProps) {
  const open = debts.filter(({ left }) => left > 0);
  if (open.length === 0) return null;
  return (
    <Card title={debtTexts.title}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {open.map((debt) => (
          <Debt key={debt.id} debt={debt} payable={next.kind !== "DEBT" || next.debt.id !== debt.id} />
        ))}
      </Stack>
    </Card>
  );
}

/** Who has paid for the pot that fills now, what I pay, and who owes whom. */
export function Payments({ ajo, next }: PaymentsProps) {
  const { id, currentAjoCyle: cycle, cycles } = ajo;
  return (
    <Stack gap="4">
      <Card
        title={cycle ? `${t.title}: ${ajoWords.cycleNo(cycle.cycle)}` : t.titleOpen}
        action={
          <LinkButton variant="link" to={paths.newDispute({ ajo: id, cycle: cycle?.cycle })}>
            {screenTexts.wrong}
          </LinkButton>
        }
      >
        <MyDue ajo={ajo} next={next} />
        {cycle && (
          <Box mt="4">
            <chakra.h3 textStyle="label" color="fg.muted">
              {t.who}
            </chakra.h3>
            <Payers ajo={ajo} cycle={cycle} />
          </Box>
        )}
      </Card>
      <Debts ajo={ajo} next={next} />
      {cycles.length > 0 && <Members ajoId={id} />}
    </Stack>
  );
}
