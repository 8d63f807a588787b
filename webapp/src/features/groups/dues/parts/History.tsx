import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { GroupPayment } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { channelWords } from "@/lib/texts/money";
import { useStore } from "@/store/store";
import { Badge } from "@/ui/bits";
import { LongList } from "@/ui/LongList";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { historyTexts as t } from "../texts";

const ROW_PX = 92;

const markTones = { UNREVIEWED: "neutral", VALIDATED: "success", QUERIED: "warning", RESOLVED: "success" } as const;

function About({ payment, named }: { payment: GroupPayment; named: boolean }) {
  const { subAccountName, date, channel, settled, paidByName } = payment;
  const detail = [
    named && subAccountName,
    moment(date),
    channel && channelWords[channel],
    settled.length > 0 && t.settled(settled.map(({ label }) => label).join(", ")),
    paidByName && t.by(paidByName),
  ]
    .filter(Boolean)
    .join(" · ");
  if (named) return <Person id={payment.userId} name={payment.name} detail={detail} />;
  return (
    <Box minWidth="0">
      <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
        {subAccountName}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {detail}
      </chakra.p>
    </Box>
  );
}

function Payment({ payment, named }: { payment: GroupPayment; named: boolean }) {
  const { amount, mark, reversed } = payment;
  return (
    <>
      <About payment={payment} named={named} />
      <Flex direction="column" align="flex-end" gap="1" flexShrink="0">
        <chakra.span fontWeight="600" textDecoration={reversed ? "line-through" : undefined}>
          <Naira amount={amount} />
        </chakra.span>
        {amount < 0 && <Badge tone="warning">{t.undo}</Badge>}
        {reversed && <Badge tone="danger">{t.reversed}</Badge>}
        {t.marks[mark] && <Badge tone={markTones[mark]}>{t.marks[mark]}</Badge>}
      </Flex>
    </>
  );
}

const line = {
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: "3",
  minHeight: "16",
  py: "3",
  px: "2",
  mx: "-2",
} as const;

interface HistoryProps {
  payments: GroupPayment[];
  /** Whose they are is said with each. */
  named: boolean;
  more?: () => void;
  paging: boolean;
}

/** Payments, newest first; one's own lead to their story and proof. */
export function History({ payments, named, more, paging }: HistoryProps) {
  const own = useStore((state) => state.session?.id);
  return (
    <LongList label={t.list} items={payments} idOf={({ id }) => id} rowPx={ROW_PX} more={more} paging={paging}>
      {(payment) =>
        (payment.paidBy ?? payment.userId) === own ? (
          <chakra.a asChild {...line} borderRadius="md" _hover={{ bg: "bg.muted" }}>
            <Link to={paths.activityDetail(payment.id)} data-payment={payment.id}>
              <Payment payment={payment} named={named} />
            </Link>
          </chakra.a>
        ) : (
          <chakra.div {...line} data-payment={payment.id}>
            <Payment payment={payment} named={named} />
          </chakra.div>
        )
      }
    </LongList>
  );
}
