import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { MovementDetail } from "@/api/schema.gen";
import { Badge } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { activityTexts } from "../texts";

const t = activityTexts.detail;

/** The two sides of a payment, told so that nobody needs to know bookkeeping. */
export function Entries({ entries }: Pick<MovementDetail, "entries">) {
  return (
    <Stack gap="3">
      <chakra.p textStyle="body" color="fg.muted">
        {t.entriesLead}
      </chakra.p>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="2">
        {entries.map((entry) => (
          <chakra.li
            key={`${entry.account} ${entry.side} ${entry.amount}`}
            bg="bg.muted"
            borderRadius="md"
            px="4"
            py="3"
          >
            <Flex justify="space-between" gap="3" align="baseline" wrap="wrap">
              <chakra.p fontWeight="600" textStyle="body">
                {entry.account}
              </chakra.p>
              <chakra.p fontWeight="600" ms="auto">
                <Naira amount={entry.amount} />
              </chakra.p>
            </Flex>
            <Flex gap="3" align="center" mt="1">
              <Badge tone={entry.side === "DEBIT" ? "brand" : "success"}>
                {entry.side === "DEBIT" ? t.debit : t.credit}
              </Badge>
              <Box textStyle="small" color="fg.muted" minWidth="0">
                {entry.words}
              </Box>
            </Flex>
          </chakra.li>
        ))}
      </chakra.ul>
    </Stack>
  );
}
