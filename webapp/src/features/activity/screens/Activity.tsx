import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Movement } from "@/api/types";
import { paths } from "@/app/paths";
import { dayName, lagosDay } from "@/lib/dates";
import { activityTexts as t } from "@/lib/texts/activity";
import { screenTexts } from "@/lib/texts/common";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { useRemote } from "@/store/useRemote";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { MovementRow } from "@/ui/MovementRow";
import { ListSkeleton } from "@/ui/Skeletons";

function byDay(movements: Movement[]): [day: string, movements: Movement[]][] {
  const days = new Map<string, Movement[]>();
  for (const movement of movements) {
    const day = lagosDay(movement.date);
    days.set(day, [...(days.get(day) ?? []), movement]);
  }
  return [...days].sort(([one], [other]) => other.localeCompare(one));
}

function Days({ movements }: { movements: Movement[] }) {
  return (
    <Stack gap="6">
      {byDay(movements).map(([day, ofDay]) => (
        <section key={day} aria-label={dayName(day)}>
          <chakra.h2 textStyle="label" color="fg.muted" mb="1">
            {dayName(day)}
          </chakra.h2>
          <Stack gap="0">
            {ofDay.map((movement) => (
              <MovementRow key={movement.id} movement={movement} to={paths.activityDetail(movement.id)} />
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function More({ onMore }: { onMore: () => Promise<void> }) {
  const [loading, setLoading] = useState(false);
  const more = async () => {
    setLoading(true);
    await onMore().catch(report);
    setLoading(false);
  };
  return (
    <chakra.div mt="5">
      <Button variant="outline" loading={loading} onClick={more}>
        {screenTexts.loadMore}
      </Button>
    </chakra.div>
  );
}

export function Activity() {
  const load = useStore((state) => state.loadActivity);
  const loadMore = useStore((state) => state.loadMoreActivity);
  const activity = useRemote((state) => state.activity, load);
  return (
    <chakra.div maxWidth="48rem">
      <title>Activity · Adashi</title>
      <PageHead title={t.title} detail={t.lead} />
      <Card>
        <Loaded remote={activity} skeleton={<ListSkeleton rows={6} />} onRetry={load}>
          {({ items, next }) =>
            items.length === 0 ? (
              <Empty
                picture={<Purse />}
                title={t.emptyTitle}
                action={<LinkButton to={paths.wallet}>{t.fund}</LinkButton>}
              >
                {t.empty}
              </Empty>
            ) : (
              <>
                <Days movements={items} />
                {next && <More onMore={loadMore} />}
              </>
            )
          }
        </Loaded>
      </Card>
    </chakra.div>
  );
}
