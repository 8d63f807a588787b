import { Box, chakra, Grid, SimpleGrid, Stack } from "@chakra-ui/react";
import type { Dashboard as Figures } from "@/api/schema.gen";
import { activityTexts } from "@/features/money/activity";
import { UnansweredCard } from "@/features/money/unanswered";
import { briefDay } from "@/lib/dates";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { useTransfers } from "@/store/payment/useTransfers";
import { dashboardSource, groupsSource, newestActivitySource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenSeat, Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { DueRow } from "@/ui/money/DueRow";
import { GroupCard } from "@/ui/money/GroupCard";
import { MovementRow } from "@/ui/money/MovementRow";
import { CardsSkeleton, ListSkeleton } from "@/ui/Skeletons";
import { BalancesCard } from "../parts/Balances";
import { Chart } from "../parts/Chart";
import { ToAnswer } from "../parts/ToAnswer";
import { ToAudit } from "../parts/ToAudit";
import { dashboardTexts as t } from "../texts";

const RECENT = 5;
const DUES = 3;

function Dues({ dues }: Pick<Figures, "dues">) {
  const transferOf = useTransfers(dues);
  if (dues.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.nothingDue}
      </chakra.p>
    );
  }
  return (
    <Stack gap="0" divideY="1px" divideColor="border">
      {dues.slice(0, DUES).map((due) => (
        <DueRow
          key={`${due.subAccountId}${due.period}`}
          due={due}
          titled="place"
          payLabel={t.pay}
          payTo={paths.subAccountPayment(due)}
          transfer={transferOf(due)}
        />
      ))}
    </Stack>
  );
}

function DuesAndChart() {
  const { remote: dashboard, load } = useRead(dashboardSource);
  return (
    <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "minmax(0, 1.3fr) minmax(0, 1fr)" }} gap="4">
      <Card title={t.due}>
        <Loaded remote={dashboard} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
          {(value) => <Dues dues={value.dues} />}
        </Loaded>
      </Card>
      <Card title={t.chart}>
        <Loaded remote={dashboard} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
          {(value) => <Chart months={value.months} />}
        </Loaded>
      </Card>
    </Grid>
  );
}

function MyGroups() {
  const { remote: groups, load } = useRead(groupsSource);
  return (
    <Box as="section" aria-labelledby="groups">
      <chakra.div display="flex" justifyContent="space-between" alignItems="center" mb="3">
        <chakra.h2 id="groups" textStyle="section">
          {t.groups}
        </chakra.h2>
        <LinkButton to={paths.savings} variant="link" aria-label={`${t.all}: ${t.groups}`}>
          {t.all}
        </LinkButton>
      </chakra.div>
      <Loaded remote={groups} skeleton={<CardsSkeleton />} onRetry={load}>
        {(value) =>
          value.length === 0 ? (
            <Card>
              <Empty
                picture={<OpenSeat />}
                title={savingsTexts.emptyTitle}
                action={<LinkButton to={paths.createGroup}>{savingsTexts.create}</LinkButton>}
              >
                {savingsTexts.empty}
              </Empty>
            </Card>
          ) : (
            <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
              {value
                .filter((group) => !hasEnded(group))
                .slice(0, 6)
                .map((group) => (
                  <GroupCard key={group.id} group={group} to={paths.group(group.id)} />
                ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Box>
  );
}

function Recent() {
  const { remote: activity, load } = useRead(newestActivitySource);
  return (
    <Card
      title={t.recent}
      action={
        <LinkButton to={paths.activity} variant="link" aria-label={`${t.all}: ${t.recent}`}>
          {t.all}
        </LinkButton>
      }
    >
      <Loaded remote={activity} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <Empty
              picture={<Purse />}
              title={activityTexts.emptyTitle}
              action={<LinkButton to={paths.wallet}>{activityTexts.fund}</LinkButton>}
            >
              {activityTexts.empty}
            </Empty>
          ) : (
            <Stack gap="0">
              {transactions.slice(0, RECENT).map((movement) => (
                <MovementRow
                  key={movement.id}
                  movement={movement}
                  when={briefDay(movement.date)}
                  to={paths.activityDetail(movement.id)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

export function Dashboard() {
  const firstName = useStore((state) => state.session?.firstName ?? "");
  return (
    <Stack gap="6">
      <title>Dashboard · Adashi</title>
      <Box mb="-6">
        <PageHead title={t.hello(firstName)} />
      </Box>
      <BalancesCard />
      <UnansweredCard />
      <ToAnswer />
      <DuesAndChart />
      <ToAudit />
      <MyGroups />
      <Recent />
    </Stack>
  );
}
