import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { savingsTexts, subAccountTexts as t } from "@/lib/texts/savings";
import { ChevronIcon } from "@/ui/icons";
import { RollingNaira } from "@/ui/Naira";
import { Terms } from "./Terms";

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
        <Box flex="1" minWidth="0">
          <chakra.p fontWeight="600" overflowWrap="anywhere">
            {sub.name}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            <Terms sub={sub} />
          </chakra.p>
        </Box>
        <Flex direction="column" align="flex-end">
          <chakra.p fontWeight="600">
            {sub.totalAmountContributed === undefined ? (
              <RollingNaira amount={sub.myTotal} />
            ) : (
              <RollingNaira amount={sub.totalAmountContributed} />
            )}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {sub.totalAmountContributed === undefined ? savingsTexts.yours : t.payments(sub.numberOfPayments ?? 0)}
          </chakra.p>
        </Flex>
        <Box color="fg.muted">
          <ChevronIcon />
        </Box>
      </Link>
    </chakra.a>
  );
}
