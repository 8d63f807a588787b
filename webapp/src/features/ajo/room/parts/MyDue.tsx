import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Ajo } from "@/api/schema.gen";
import { PayNow, payTexts } from "@/features/ajo/pay";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Naira } from "@/ui/money/Naira";
import type { Next as NextAction } from "../next";
import { dueTexts as t } from "../texts";

interface Line {
  what: string;
  amount: number;
  detail?: string;
  /** The page where it is paid by transfer or card. */
  other: string;
  children: ReactNode;
}

/** What I have to pay, and the ways to pay it. */
function DueRow({ what, amount, detail, other, children }: Line) {
  return (
    <Flex gap="3" align="center" justify="space-between" wrap="wrap">
      <Box minWidth="0" flex="1 1 9rem">
        <chakra.p fontWeight="650" data-my-due>
          <Naira amount={amount} />
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {what}
          {detail && ` · ${detail}`}
        </chakra.p>
      </Box>
      <Flex gap="2" wrap="wrap">
        {children}
        <LinkButton to={other} variant="outline" aria-label={payTexts.otherFor(what)}>
          {payTexts.other}
        </LinkButton>
      </Flex>
    </Flex>
  );
}

interface MyDueProps {
  ajo: Ajo;
  next: NextAction;
}

function Due({ ajo: { id, paymentDto }, next }: MyDueProps) {
  if (!paymentDto) return <chakra.p color="fg.muted">{t.none}</chakra.p>;
  const { cycle, seat, amount, due, isPaid } = paymentDto;
  if (isPaid) return null; // The hero says so.
  const what = t.what(cycle, seat);
  return (
    <DueRow
      what={what}
      amount={amount}
      detail={t.by(shortDay(due))}
      other={paths.ajoPayment({ ajoId: id, cycle, seat })}
    >
      {next.kind !== "DUE" && <PayNow ajoId={id} pay={{ what: "DUE", amount, cycle, seat }} what={what} />}
    </DueRow>
  );
}

function Deposit({ ajo: { id, me }, next }: MyDueProps) {
  const { depositDue: amount, deposited, seats } = me;
  if (amount === 0) return deposited > 0 ? <p>{t.depositPaid(formatNaira(deposited))}</p> : null;
  return (
    <DueRow what={t.depositTitle} amount={amount} other={paths.ajoPayment({ ajoId: id })}>
      {next.kind !== "DEPOSIT" && (
        <PayNow ajoId={id} pay={{ what: "DEPOSIT", amount, seat: seats[0] }} what={t.depositTitle} />
      )}
    </DueRow>
  );
}

/** What one pays here: the due, the deposit, or all that is left. */
export function MyDue({ ajo, next }: MyDueProps) {
  const { prepay, seats } = ajo.me;
  const collected = ajo.seats.find(({ seat, status }) => status === "COLLECTED" && seats.includes(seat));
  return (
    <Stack gap="4">
      <Deposit ajo={ajo} next={next} />
      <Due ajo={ajo} next={next} />
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
  );
}
