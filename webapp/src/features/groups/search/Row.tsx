import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { GroupRow } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { Note } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { searchTexts as t } from "./texts";

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box>
      <chakra.dt textStyle="small" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd textStyle="body" fontWeight="600">
        {children}
      </chakra.dd>
    </Box>
  );
}

const growth = (percent: number | undefined) =>
  percent === undefined ? t.fresh : `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;

/** One group found: opens its page. */
export function Row({ row, onOpen }: { row: GroupRow; onOpen: () => void }) {
  return (
    <chakra.a
      asChild
      display="block"
      py="4"
      px="4"
      borderRadius="md"
      borderWidth="1px"
      borderColor="border"
      _hover={{ borderColor: "border.brand" }}
    >
      <Link to={paths.group(row.id)} onClick={onOpen}>
        <Flex justify="space-between" gap="3" wrap="wrap" align="baseline">
          <Box>
            <chakra.p textStyle="section" overflowWrap="anywhere">
              {row.name}
            </chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {savingsTexts.members(row.memberCount)}
            </chakra.p>
          </Box>
          {row.amount !== undefined && (
            <chakra.p fontWeight="600">
              <Naira amount={row.amount} />{" "}
              <chakra.span textStyle="small" fontWeight="400" color="fg.muted">
                {t.perMonth}
              </chakra.span>
            </chakra.p>
          )}
        </Flex>
        {row.lookAlike && (
          <Box mt="3">
            <Note tone="warning">{t.alike}</Note>
          </Box>
        )}
        <SimpleGrid as="dl" columns={{ base: 2, md: 3 }} gap="3" mt="3">
          <Figure name={t.next}>
            {row.termsHidden ? t.hidden : row.nextPayment ? shortDay(row.nextPayment) : t.unknown}
          </Figure>
          <Figure name={t.saved}>{row.totalSaved === undefined ? t.hidden : <Naira amount={row.totalSaved} />}</Figure>
          <Figure name={t.growth}>{row.totalsHidden ? t.hidden : growth(row.growthPercent)}</Figure>
        </SimpleGrid>
      </Link>
    </chakra.a>
  );
}
