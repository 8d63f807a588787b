import { Box, chakra, Flex } from "@chakra-ui/react";
import { shortDay } from "@/lib/dates";
import { dueWords, transferWords } from "@/lib/texts/money";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Naira } from "./Naira";

interface DueRowProps {
  due: {
    subAccountName: string;
    label: string;
    dueDate: string;
    amount: number;
    outstanding: number;
    status: keyof typeof dueWords;
  };
  payTo?: string;
  payLabel: string;
  /** A payment of it that was started and waits for its money: it is gone on with, rather than paid again. */
  transfer?: { channel: keyof typeof transferWords };
  /** Leaves out what the page says already. */
  titled: "month" | "subAccount";
}

const toneOf = {
  SCHEDULED: "neutral",
  DUE: "brand",
  PARTIAL: "warning",
  PAID: "success",
  OVERDUE: "danger",
  WAIVED: "neutral",
  WRITTEN_OFF: "neutral",
} as const;
/** Nothing is left to pay of these. */
const SETTLED = ["PAID", "WAIVED", "WRITTEN_OFF"];

/** One due of one month: what for, how much is left, and the way to pay it. */
export function DueRow({ due, payTo, payLabel, transfer, titled }: DueRowProps) {
  const title = titled === "month" ? due.label : due.subAccountName;
  const about = titled === "month" ? "" : `${due.label} · `;
  const settled = SETTLED.includes(due.status);
  const action = transfer ? transferWords[transfer.channel] : payLabel;
  return (
    <Flex align="center" gap="3" py="3" wrap={{ base: "wrap", md: "nowrap" }}>
      <Box flex="1 1 11rem" minWidth="0">
        <Flex gap="2" align="center" wrap="wrap">
          <chakra.p textStyle="body" fontWeight="600" minWidth="0" overflowWrap="anywhere">
            {title}
          </chakra.p>
          <Badge tone={toneOf[due.status]}>{dueWords[due.status]}</Badge>
        </Flex>
        <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
          {about}
          {settled ? "" : "by "}
          {shortDay(due.dueDate)}
        </chakra.p>
      </Box>
      <Flex align="center" justify="flex-end" gap="3" ms="auto" wrap="wrap">
        <chakra.p fontWeight="600" fontSize="lg">
          <Naira amount={settled ? due.amount : due.outstanding} />
        </chakra.p>
        {payTo && !settled && (
          <LinkButton
            to={payTo}
            variant={due.status === "SCHEDULED" && !transfer ? "outline" : "primary"}
            aria-label={`${action} ${title}, ${due.label}`}
          >
            {action}
          </LinkButton>
        )}
      </Flex>
    </Flex>
  );
}
