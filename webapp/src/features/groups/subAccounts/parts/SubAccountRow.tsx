import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { SubAccount } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { ChevronIcon } from "@/ui/icons";
import { RollingNaira } from "@/ui/money/Naira";
import { subAccountTexts as t } from "../texts";
import { Terms } from "./Terms";

/** One sub-account in the list: what is left in it of what was collected, or one's own where the rest is hidden. */
export function SubAccountRow({ sub }: { sub: SubAccount }) {
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      py="3"
      px="2"
      mx="-2"
      borderRadius="md"
      _hover={{ bg: "bg.muted" }}
    >
      <Link to={paths.subAccount(sub.id)}>
        <Flex flex="1" minWidth="0" wrap="wrap" align="center" columnGap="3">
          <Box flex="1 1 7rem" minWidth="0">
            <chakra.p fontWeight="600" overflowWrap="anywhere">
              {sub.name}
            </chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              <Terms sub={sub} />
              {sub.numberOfPayments !== undefined && (
                <chakra.span
                  display={{ base: "none", md: "inline" }}
                >{` · ${t.payments(sub.numberOfPayments)}`}</chakra.span>
              )}
            </chakra.p>
          </Box>
          <Flex direction="column" align="flex-end" ms="auto" textAlign="end">
            <chakra.p fontWeight="600" data-in-it={sub.id}>
              <RollingNaira amount={sub.balance ?? sub.mySavings ?? sub.myTotal} />
            </chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {sub.totalAmountContributed === undefined
                ? savingsTexts.yours
                : t.collected(formatNaira(sub.totalAmountContributed))}
            </chakra.p>
          </Flex>
        </Flex>
        <Box color="fg.muted">
          <ChevronIcon />
        </Box>
      </Link>
    </chakra.a>
  );
}
