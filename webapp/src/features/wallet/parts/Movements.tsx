import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { walletFailureText } from "@/api/failure";
import { paths } from "@/app/paths";
import { moment } from "@/lib/dates";
import { screenTexts } from "@/lib/texts/common";
import { walletTexts as t } from "@/lib/texts/wallet";
import { useStore } from "@/store/store";
import { useRemote } from "@/store/useRemote";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { MovementRow } from "@/ui/MovementRow";
import { ListSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toaster";

export function Movements({ onFund }: { onFund: () => void }) {
  const load = useStore((state) => state.loadMovements);
  const loadMore = useStore((state) => state.loadMoreMovements);
  const movements = useRemote((state) => state.movements, load);
  const [loading, setLoading] = useState(false);
  const more = async () => {
    setLoading(true);
    await loadMore().catch((error: unknown) => toast.error(walletFailureText(error)));
    setLoading(false);
  };
  return (
    <Card title={t.movements}>
      <Loaded remote={movements} skeleton={<ListSkeleton />} onRetry={load}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty picture={<Purse />} title={t.noneTitle} action={<Button onClick={onFund}>{t.fund}</Button>}>
              {t.none}
            </Empty>
          ) : (
            <Stack gap="0">
              {items.map((movement) => (
                <MovementRow
                  key={movement.id}
                  movement={movement}
                  when={moment(movement.date)}
                  to={paths.activityDetail(movement.id)}
                />
              ))}
              {next && (
                <chakra.div mt="4">
                  <Button variant="outline" loading={loading} onClick={more}>
                    {screenTexts.loadMore}
                  </Button>
                </chakra.div>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}
