import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { getCharts } from "@/api/dues";
import type { Group, GroupCharts } from "@/api/schema.gen";
import { seesTotals } from "@/features/groups/frame";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { MonthsChart } from "@/ui/money/MonthsChart";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { ListSkeleton } from "@/ui/Skeletons";
import { chartTexts as t } from "../texts";

const MONTHS = 12;

const series = [
  { name: t.in, colour: "brandLine" },
  { name: t.out, colour: "gray" },
];
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
          {({ months }) => (
            <MonthsChart
              series={series}
              months={months.map(({ contributed, paidOut, ...month }) => ({
                ...month,
                values: [contributed, paidOut],
              }))}
              words={t}
              caption={title}
            />
          )}
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
