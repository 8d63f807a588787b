import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Due, Group } from "@/api/schema.gen";
import { isOfficial, mayPay } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { dueWords, transferWords } from "@/lib/texts/money";
import { useTransfers } from "@/store/payment/useTransfers";
import { LinkButton } from "@/ui/Button";
import { pageTexts as t } from "../texts";
import { useWaits } from "./waits";

interface BarProps {
  title: string;
  detail?: string;
  children: ReactNode;
}

/** The reader's next action, in reach of the thumb. */
function Bar({ title, detail, children }: BarProps) {
  return (
    <Flex
      as="section"
      aria-label={t.next}
      data-bar
      position="sticky"
      bottom="var(--frame-bottom)"
      zIndex="docked"
      gap="3"
      align="center"
      justify="space-between"
      mx={{ base: "-4", md: "0" }}
      px="4"
      py="2.5"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border"
      boxShadow="bar"
      borderRadius={{ base: "0", md: "card" }}
    >
      <Box minWidth="0">
        <chakra.p textStyle="body" fontWeight="600" lineClamp="2" overflowWrap="anywhere">
          {title}
        </chakra.p>
        {detail && (
          <chakra.p textStyle="small" color="fg.muted">
            {detail}
          </chakra.p>
        )}
      </Box>
      {children}
    </Flex>
  );
}

function PayBar({ due }: { due: Due }) {
  const transfer = useTransfers([due])(due);
  const action = transfer ? transferWords[transfer.channel] : t.pay(formatNaira(due.outstanding));
  const title = `${due.subAccountName}, ${due.label}`;
  return (
    <Bar title={title} detail={`${dueWords[due.status]} · ${t.by(shortDay(due.dueDate))}`}>
      <LinkButton
        to={paths.subAccountPayment(due)}
        variant={due.status === "SCHEDULED" && !transfer ? "outline" : "primary"}
        aria-label={`${action} ${title}`}
      >
        {action}
      </LinkButton>
    </Bar>
  );
}

/** Pays the next due. An official whose own due is not due yet sees first what waits for them. */
export function ActionBar({ group }: { group: Group }) {
  const [first] = useWaits(group);
  const due = mayPay(group) ? group.nextDue : undefined;
  if (first && isOfficial(group) && (!due || due.status === "SCHEDULED")) {
    return (
      <Bar title={first.title}>
        <LinkButton to={first.link} aria-label={`${first.button} ${first.title}`}>
          {first.button}
        </LinkButton>
      </Bar>
    );
  }
  return due ? <PayBar due={due} /> : null;
}
