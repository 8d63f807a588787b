import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { Answer } from "@/api/client";
import type { StandingOrder } from "@/api/schema.gen";
import { endStandingOrder, getStandingOrders, pauseStandingOrder, resumeStandingOrder } from "@/api/standing";
import { shortDay } from "@/lib/dates";
import { paths, type StandingFor } from "@/lib/paths";
import { told } from "@/store/reportMoney";
import { ofWallet } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { PlusIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { standingTexts as t } from "../texts";
import { NewStandingOrder } from "./NewStandingOrder";

const tones = { ACTIVE: "success", PAUSED: "warning", ENDED: "neutral" } as const;

function Runs({ runs }: Pick<StandingOrder, "runs">) {
  if (runs.length === 0) return null;
  return (
    <chakra.details>
      <chakra.summary cursor="pointer" textStyle="body" color="fg.brand" minHeight="11" py="2.5">
        {t.runs}
      </chakra.summary>
      <chakra.ul listStyleType="none" textStyle="body">
        {runs.map(({ day, outcome, reason, activityId }) => (
          <chakra.li key={`${day}${outcome}`} display="flex" gap="3" alignItems="center" flexWrap="wrap" py="1">
            <Badge tone={outcome === "PAID" ? "success" : "danger"}>{outcome === "PAID" ? t.paid : t.missed}</Badge>
            {activityId ? (
              <LinkButton variant="link" to={paths.activityDetail(activityId)} aria-label={t.see(shortDay(day))}>
                {shortDay(day)}
              </LinkButton>
            ) : (
              <chakra.span py="2.5">{shortDay(day)}</chakra.span>
            )}
            <chakra.span color="fg.muted">{reason}</chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}

type Change = (deed: (id: string) => Promise<Answer<StandingOrder>>) => Promise<boolean>;

function Actions({ order, onChange }: { order: StandingOrder; onChange: Change }) {
  const [busy, setBusy] = useState(false);
  const [ending, setEnding] = useState(false);
  if (order.status === "ENDED") return null;
  const running = order.status === "ACTIVE";
  const toggle = running ? t.pause : t.resume;
  const change = async () => {
    setBusy(true);
    await onChange(running ? pauseStandingOrder : resumeStandingOrder);
    setBusy(false);
  };
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <Button size="sm" variant="outline" loading={busy} aria-label={t.of(toggle, order.purpose)} onClick={change}>
        {toggle}
      </Button>
      <Button size="sm" variant="ghost" aria-label={t.of(t.end, order.purpose)} onClick={() => setEnding(true)}>
        {t.end}
      </Button>
      {!running && (
        <chakra.span textStyle="small" color="fg.muted">
          {t.resumed}
        </chakra.span>
      )}
      <Confirm
        open={ending}
        title={t.endTitle}
        yes={t.endYes}
        no={t.endNo}
        danger
        onClose={() => setEnding(false)}
        onYes={() => onChange(endStandingOrder)}
      >
        {t.endText(order.purpose)}
      </Confirm>
    </Flex>
  );
}

function Row({ order, onChange }: { order: StandingOrder; onChange: Change }) {
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-standing={order.status}>
      <Flex justify="space-between" gap="3" wrap="wrap">
        <Box minWidth="0">
          <Flex gap="2" align="center" wrap="wrap">
            <chakra.h3 textStyle="body" fontWeight="600" overflowWrap="anywhere">
              {order.purpose}
            </chakra.h3>
            <Badge tone={tones[order.status]}>{t.states[order.status]}</Badge>
          </Flex>
          <chakra.p textStyle="small" color="fg.muted">
            {[t.every[order.frequency], order.nextDay && t.next(shortDay(order.nextDay)), order.reason]
              .filter(Boolean)
              .join(" · ")}
          </chakra.p>
        </Box>
        <chakra.p fontWeight="600" fontSize="lg">
          <Naira amount={order.amount} />
        </chakra.p>
      </Flex>
      <Stack gap="1" mt="2">
        <Actions order={order} onChange={onChange} />
        <Runs runs={order.runs} />
      </Stack>
    </chakra.li>
  );
}

interface StandingOrdersProps {
  /** The link that leads here may propose a new one. */
  proposed?: StandingFor;
  onProposed: () => void;
}

/** Standing orders: the wallet pays by itself, week by week or month by month. */
export function StandingOrders({ proposed, onProposed }: StandingOrdersProps) {
  const { remote, load } = useRead({ ...ofWallet, key: "standingOrders", read: getStandingOrders });
  const [adding, setAdding] = useState(false);
  const asked = proposed !== undefined;
  // Opened once the screen is there: a new screen takes the focus, and a dialog that loses it closes.
  useEffect(() => {
    if (asked) setAdding(true);
  }, [asked]);
  const close = () => {
    setAdding(false);
    onProposed();
  };
  const add = (
    <Button size="sm" icon={<PlusIcon />} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  const some = remote.state === "ready" && remote.value.length > 0;
  return (
    <Card title={t.title} action={some && add}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(orders) =>
          orders.length === 0 ? (
            <Empty title={t.noneTitle} action={add}>
              {t.none}
            </Empty>
          ) : (
            <chakra.ul listStyleType="none">
              {orders.map((order) => (
                <Row
                  key={order.id}
                  order={order}
                  onChange={async (deed) => {
                    const done = await told(deed(order.id));
                    if (done) await load();
                    return Boolean(done);
                  }}
                />
              ))}
            </chakra.ul>
          )
        }
      </Loaded>
      <NewStandingOrder
        open={adding}
        proposed={proposed}
        onClose={close}
        onCreated={() => {
          close();
          void load();
        }}
      />
    </Card>
  );
}
