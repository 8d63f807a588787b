import { Stack } from "@chakra-ui/react";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { movementsSource } from "@/store/sources";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { MovementRow } from "@/ui/money/MovementRow";
import { ListSkeleton } from "@/ui/Skeletons";
import { walletTexts as t } from "../texts";

export function Movements({ onFund }: { onFund: () => void }) {
  const { remote, rows, load, askMore, paging } = usePages(movementsSource);
  return (
    <Card title={t.movements}>
      <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
        {() =>
          rows.length === 0 ? (
            <Empty picture={<Purse />} title={t.noneTitle} action={<Button onClick={onFund}>{t.fund}</Button>}>
              {t.none}
            </Empty>
          ) : (
            <Stack gap="0">
              {rows.map((movement) => (
                <MovementRow
                  key={movement.id}
                  movement={movement}
                  when={moment(movement.date)}
                  to={paths.activityDetail(movement.id)}
                />
              ))}
              <More onMore={askMore} busy={paging} />
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}
