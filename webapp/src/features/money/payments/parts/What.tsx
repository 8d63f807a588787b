import { Box, chakra, Flex } from "@chakra-ui/react";
import type { Due, SubAccount } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { dueWords } from "@/lib/texts/money";
import { Badge } from "@/ui/bits";
import { paymentTexts as t } from "../texts";

export interface For {
  sub: SubAccount;
  groupName: string;
  due?: Due;
}

/** The payment's purpose, shown above the form. */
export function What({ sub, groupName, due }: For) {
  return (
    <Box overflowWrap="anywhere">
      <chakra.p textStyle="small" color="fg.muted">
        {groupName}
      </chakra.p>
      <chakra.h2 textStyle="section">{sub.name}</chakra.h2>
      {due && (
        <Flex gap="2" align="center" wrap="wrap" textStyle="body">
          <chakra.span fontWeight="600">{due.label}</chakra.span>
          <Badge tone={due.status === "OVERDUE" ? "danger" : "brand"}>{dueWords[due.status]}</Badge>
          <chakra.span color="fg.muted">{t.by(shortDay(due.dueDate))}</chakra.span>
        </Flex>
      )}
    </Box>
  );
}
