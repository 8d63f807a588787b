import { Box, chakra, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import { useCallback, useRef, useState } from "react";
import { useParams } from "react-router";
import { getGrid } from "@/api/dues";
import type { Group, SubAccount } from "@/api/schema.gen";
import { GroupFrame, isOfficial, MemberSearch, SubAccountPick, useSubAccounts } from "@/features/groups/frame";
import { lagosDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { ofGroup } from "@/store/sources";
import { usePages } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Book } from "../parts/Book";
import { Grid } from "../parts/Grid";
import { moved } from "../parts/periods";
import { Views } from "../parts/Views";
import { gridTexts as t } from "../texts";

const PAGE = 100;
/** A phone has room for few: a year is asked for where there is more. */
const periodsShown = () => (window.innerWidth < 768 ? 6 : 12);

interface PeriodsProps {
  periods: { period: string; label: string }[];
  /** The day the group began: nothing lies before it. */
  since: string;
  onMove: (from: string) => void;
}

function Periods({ periods, since, onMove }: PeriodsProps) {
  const earlier = moved(periods, -1);
  const later = moved(periods, 1);
  const first = periods[0];
  const last = periods.at(-1);
  if (!first || !last || !earlier || !later) return null;
  return (
    <Flex align="center" justify={{ base: "space-between", md: "flex-start" }} gap={{ base: "2", md: "3" }} mb="3">
      <Button size="sm" variant="outline" disabled={first.period <= since} onClick={() => onMove(earlier)}>
        ← {t.earlier}
      </Button>
      <chakra.p textStyle="small" fontWeight="600" textAlign="center" role="status">
        {t.range(first.label, last.label)}
      </chakra.p>
      <Button size="sm" variant="outline" disabled={last.period > lagosDay()} onClick={() => onMove(later)}>
        {t.later} →
      </Button>
    </Flex>
  );
}

function Payments({ group, sub, q }: { group: Group; sub: SubAccount; q: string }) {
  const [from, setFrom] = useState<string>();
  const of = { subAccountId: sub.id, from, q: q || undefined };
  const inView = useRef(0);
  const onView = useCallback((first: number) => {
    inView.current = first;
  }, []);
  const { remote, rows, load, more, paging, ...found } = usePages({
    ...ofGroup(group.id),
    key: `grid:${sub.id}:${from}:${q}`,
    rows: "rows",
    read: ({ before }) => getGrid(group.id, { ...of, periods: periodsShown(), before }),
    inView: () => Math.floor(inView.current / PAGE),
  });
  // The way back and forth stays where it is while other periods are read.
  const shown = useRef(found.first);
  const first = found.first ?? shown.current;
  shown.current = first;
  return (
    <>
      {first && <Periods periods={first.periods} since={lagosDay(group.dateCreated)} onMove={setFrom} />}
      <Loaded remote={remote} skeleton={<ListSkeleton rows={8} />} onRetry={load}>
        {() =>
          first && (
            <>
              <chakra.p textStyle="small" color="fg.muted" mb="2">
                {t.count(first.count)}
              </chakra.p>
              {rows.length === 0 ? (
                <chakra.p textStyle="body" color="fg.muted">
                  {t.none}
                </chakra.p>
              ) : (
                <Grid
                  name={sub.name}
                  periods={first.periods}
                  rows={rows}
                  count={first.count}
                  more={more}
                  paging={paging}
                  onView={onView}
                />
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Page({ group }: { group: Group }) {
  const { list, load } = useSubAccounts(group.id);
  const [chosen, setChosen] = useState("");
  const [q, setQ] = useState("");
  return (
    <Card title={t.title} action={<Book group={group} />}>
      <Loaded remote={list} skeleton={<ListSkeleton rows={8} />} onRetry={load}>
        {({ SubAccounts: subs }) => {
          const sub = subs.find(({ id }) => id === chosen) ?? subs[0];
          if (!sub) {
            return (
              <Empty picture={<OpenBook />} title={t.title}>
                {t.noSub}
              </Empty>
            );
          }
          return (
            <Stack gap="4">
              <SimpleGrid as="search" columns={{ base: 1, md: 2 }} gap="4">
                <SubAccountPick groupId={group.id} value={sub.id} onChange={setChosen} />
                <MemberSearch onSearch={setQ} />
              </SimpleGrid>
              <Box minWidth="0">
                <Payments key={sub.id} group={group} sub={sub} q={q} />
              </Box>
            </Stack>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** The page for members who followed an official's link. */
function Closed({ group }: { group: Group }) {
  return (
    <Card>
      <Empty
        picture={<OpenBook />}
        title={t.closedTitle}
        action={<LinkButton to={paths.myPayments(group.id)}>{t.closedGo}</LinkButton>}
      >
        {t.closed}
      </Empty>
    </Card>
  );
}

/** Who paid what, month by month. */
export function MembersPayments() {
  const { id = "" } = useParams();
  return (
    <GroupFrame id={id} tab="payments" page={t.title}>
      {(group) => (
        <Stack gap="4">
          <Views group={group} current="grid" />
          {isOfficial(group) ? <Page group={group} /> : <Closed group={group} />}
        </Stack>
      )}
    </GroupFrame>
  );
}
