import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { useState } from "react";
import { Link } from "react-router";
import { getLiquidations, type LiquidationFilter } from "@/api/liquidations";
import type { Group, Liquidation } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ofGroup } from "@/store/sources";
import { usePages } from "@/store/useRead";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { LongList } from "@/ui/LongList";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { ListSkeleton } from "@/ui/Skeletons";
import { liquidationTexts as t } from "../texts";

const ROW_PX = 88;

export const tones = {
  REQUESTED: "warning",
  VALIDATED: "warning",
  ON_HOLD: "danger",
  APPROVED: "brand",
  PAYOUT_PENDING: "brand",
  PAYOUT_FAILED: "danger",
  PAID: "success",
  REVERSED: "danger",
  VALIDATION_REJECTED: "danger",
  APPROVAL_REJECTED: "danger",
  CANCELLED: "neutral",
  EXPIRED: "neutral",
  RELEASED: "neutral",
} as const;

function Row({ request }: { request: Liquidation }) {
  const { id, groupId, kind, status, amount, requestedBy, requestedByName, subAccountName, dateCreated } = request;
  const detail = [t.kinds[kind], subAccountName, shortDay(dateCreated)].join(" · ");
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      justifyContent="space-between"
      gap="3"
      minHeight="16"
      py="3"
      px="2"
      mx="-2"
      borderRadius="md"
      _hover={{ bg: "bg.muted" }}
    >
      <Link to={paths.liquidations(groupId, id)} data-request={id} preventScrollReset>
        <Person id={requestedBy} name={requestedByName} detail={detail} />
        <Flex direction="column" align="flex-end" gap="1" flexShrink="0">
          <chakra.span fontWeight="600">{request.amountHidden ? t.hidden : <Naira amount={amount} />}</chakra.span>
          <Badge tone={tones[status]}>{t.states[status]}</Badge>
          {status === "VALIDATED" && (
            <chakra.span textStyle="small" color="fg.muted">
              {t.approvals(request.approvals, request.approvalsNeeded)}
            </chakra.span>
          )}
        </Flex>
      </Link>
    </chakra.a>
  );
}

/** The requests for money of a group, each with its status. */
export function RequestList({ group }: { group: Group }) {
  const [status, setStatus] = useState<LiquidationFilter | "">("");
  const { remote, rows, first, load, more, paging } = usePages({
    ...ofGroup(group.id),
    key: `requests:${group.id}:${status}`,
    rows: "requests",
    read: ({ before }) => getLiquidations(group.id, { status: status || undefined, before }),
  });
  const held = first?.held ?? 0;
  return (
    <Card>
      <Box as="search" mb="4">
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          <SelectField
            label={t.filter}
            value={status}
            onChange={(event) => setStatus(event.target.value as LiquidationFilter | "")}
          >
            <option value="">{t.all}</option>
            <option value="OPEN">{t.open}</option>
            {Object.entries(t.states).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
        </SimpleGrid>
      </Box>
      <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
        {() =>
          rows.length === 0 ? (
            <Empty picture={<Purse />} title={status ? t.noneFits : t.noneTitle}>
              {!status && t.none}
            </Empty>
          ) : (
            <>
              {held > 0 && (
                <chakra.p textStyle="body" color="fg.muted" mb="2">
                  {t.held(formatNaira(held))}
                </chakra.p>
              )}
              <LongList label={t.list} items={rows} idOf={({ id }) => id} rowPx={ROW_PX} more={more} paging={paging}>
                {(request) => <Row request={request} />}
              </LongList>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
