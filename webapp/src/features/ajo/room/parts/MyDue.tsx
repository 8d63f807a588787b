import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { Ajo } from "@/api/schema.gen";
import { PayNow, payTexts } from "@/features/ajo/pay";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Naira } from "@/ui/money/Naira";
import { dueTexts as t } from "../texts";

function Next({ ajo }: { ajo: Ajo }) {
  const next = ajo.paymentDto;
  if (!next) return <chakra.p color="fg.muted">{t.none}</chakra.p>;
  const { cycle, seat, amount, due, isPaid } = next;
  if (isPaid) return <Note tone="success">{t.paid}</Note>;
  const what = t.what(cycle, seat);
  return (
    <Stack gap="3">
      <Box>
        <chakra.p textStyle="figure" data-my-due>
          <Naira amount={amount} />
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {what} · {t.by(shortDay(due))}
        </chakra.p>
      </Box>
      <Flex gap="2" wrap="wrap">
        <PayNow ajoId={ajo.id} pay={{ what: "DUE", amount, cycle, seat }} what={what} />
        <LinkButton
          to={paths.ajoPayment({ ajoId: ajo.id, cycle, seat })}
          variant="outline"
          aria-label={payTexts.otherFor(what)}
        >
          {payTexts.other}
        </LinkButton>
      </Flex>
    </Stack>
  );
}

function Deposit({ ajo }: { ajo: Ajo }) {
  const { depositDue, deposited, seats } = ajo.me;
  if (depositDue === 0) return deposited > 0 ? <p>{t.depositPaid(formatNaira(deposited))}</p> : null;
  return (
    <Note tone="warning" title={t.depositTitle}>
      <p>{t.deposit(formatNaira(depositDue))}</p>
      <Flex gap="2" wrap="wrap" mt="3">
        <PayNow ajoId={ajo.id} pay={{ what: "DEPOSIT", amount: depositDue, seat: seats[0] }} what={t.depositTitle} />
        <LinkButton
          to={paths.ajoPayment({ ajoId: ajo.id })}
          variant="outline"
          aria-label={payTexts.otherFor(t.depositTitle)}
        >
          {payTexts.other}
        </LinkButton>
      </Flex>
    </Note>
  );
}

/** What one pays next here: the due, the deposit, or all that is left. */
export function MyDue({ ajo }: { ajo: Ajo }) {
  const { prepay, seats } = ajo.me;
  const collected = ajo.seats.find(({ seat, status }) => status === "COLLECTED" && seats.includes(seat));
  return (
    <Card title={t.title}>
      <Stack gap="4">
        <Deposit ajo={ajo} />
        <Next ajo={ajo} />
        {prepay !== undefined && prepay > 0 && (
          <Box>
            <chakra.p textStyle="small" color="fg.muted" mb="2">
              {t.prepay(formatNaira(prepay))}
            </chakra.p>
            <PayNow
              ajoId={ajo.id}
              pay={{ what: "ALL", amount: prepay, seat: collected?.seat }}
              what={t.prepayWhat}
              label={t.prepayTitle}
              variant="outline"
            />
          </Box>
        )}
      </Stack>
    </Card>
  );
}
