import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { getCharts } from "@/api/dues";
import type { Group, GroupCharts } from "@/api/types";
import { seesTotals } from "@/features/group";
import { formatNaira } from "@/lib/money";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { BarChart } from "@/ui/money/BarChart";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { ListSkeleton } from "@/ui/Skeletons";
import { chartTexts as t } from "../texts";

const MONTHS = 12;

const series = [
  { name: t.in, colour: "brandLine" },
  { name: t.out, colour: "gray" },
];
const cell = { textAlign: "end", py: "2", fontVariantNumeric: "tabular-nums" } as const;

function Table({ months, title }: { months: GroupCharts["months"]; title: string }) {
  return (
    <chakra.details mt="3">
      <chakra.summary minHeight="11" display="flex" alignItems="center" cursor="pointer" textStyle="label">
        {t.table}
      </chakra.summary>
      <chakra.table width="full" textStyle="body">
        <caption hidden>{title}</caption>
        <thead>
          <tr>
            <chakra.th scope="col" textAlign="start" py="2">
              {t.month}
            </chakra.th>
            <chakra.th scope="col" {...cell}>
              {t.in}
            </chakra.th>
            <chakra.th scope="col" {...cell}>
              {t.out}
            </chakra.th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <chakra.tr key={month.month} borderTopWidth="1px" borderColor="border">
              <chakra.th scope="row" textAlign="start" fontWeight="500" py="2">
                {month.label}
              </chakra.th>
              <chakra.td {...cell}>{formatNaira(month.contributed)}</chakra.td>
              <chakra.td {...cell}>{formatNaira(month.paidOut)}</chakra.td>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.details>
  );
}

function Months({ months, title }: { months: GroupCharts["months"]; title: string }) {
  if (months.every(({ contributed, paidOut }) => contributed === 0 && paidOut === 0)) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.empty}
      </chakra.p>
    );
  }
  return (
    <>
      <BarChart
        series={series}
        groups={months.map(({ month, label, contributed, paidOut }) => ({
          key: month,
          label: label.slice(0, 3),
          values: [contributed, paidOut],
        }))}
      />
      <Table months={months} title={title} />
    </>
  );
}

/** Who saved most, each with a bar against the first. */
function Members({ members }: Pick<GroupCharts, "members">) {
  const most = Math.max(1, ...members.map(({ total }) => total));
  return (
    <Stack as="ol" listStyleType="none" gap="4">
      {members.map(({ userId, name, total }) => (
        <li key={userId}>
          <Flex wrap="wrap" align="center" columnGap="3">
            <Box flex="1 1 9rem" minWidth="0">
              <Person id={userId} name={name} size="2rem" />
            </Box>
            <chakra.span fontWeight="600" ms="auto">
              <Naira amount={total} />
            </chakra.span>
          </Flex>
          <Box mt="1.5" height="2" borderRadius="full" bg="bg.muted" aria-hidden="true">
            <Box height="full" borderRadius="full" bg="brandLine" width={`${(Math.max(0, total) / most) * 100}%`} />
          </Box>
        </li>
      ))}
    </Stack>
  );
}

/** Contributions by month and by member, as far as the viewer may see them. */
export function GroupMoney({ group }: { group: Group }) {
  const { remote, load } = useRead({
    ...ofGroup(group.id),
    key: `charts:${group.id}`,
    read: () => getCharts(group.id, MONTHS),
  });
  const open = seesTotals(group);
  const title = open ? t.months : t.monthsOwn;
  return (
    <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
      <Card title={title}>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
          {({ months }) => <Months months={months} title={title} />}
        </Loaded>
      </Card>
      {open && remote.state === "ready" && remote.value.members.length > 0 && (
        <Card title={t.members}>
          <Members members={remote.value.members} />
        </Card>
      )}
    </Grid>
  );
}
