import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { getPayouts, queryPayout } from "@/api/finance";
import type { Payout, PayoutPage } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { told } from "@/store/reportMoney";
import { usePages, useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge, Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { News } from "@/ui/News";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";

const t = financeTexts.payouts;

function facts({
  id,
  rail,
  requestedAt,
  sentAt,
  lastAskedAt,
  nextAskAt,
  tries,
  answer,
}: Payout): [string, ReactNode][] {
  const rows: [string, ReactNode][] = [
    [t.id, id],
    [t.rail, rail],
    [t.requested, moment(requestedAt)],
    [t.sent, sentAt && moment(sentAt)],
    [t.asked, lastAskedAt && moment(lastAskedAt)],
    [t.nextAsk, nextAskAt && moment(nextAskAt)],
    [t.tries, String(tries)],
    [t.answer, answer],
  ];
  return rows.filter(([, fact]) => Boolean(fact));
}

function Row({ payout, onAsked }: { payout: Payout; onAsked: (now: Payout) => void }) {
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    const done = await told(queryPayout(payout.id));
    setBusy(false);
    if (done) onAsked(done.value);
  };
  const known = isKnown(payout);
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-payout={payout.status}>
      <Flex gap="3" align="center" wrap="wrap" mb="2">
        <chakra.h3 fontWeight="650" fontSize="lg">
          <Naira amount={payout.net} />
        </chakra.h3>
        <Badge tone={known ? "success" : "warning"}>{t.states[payout.status]}</Badge>
        {payout.doubtful && <Badge tone="danger">{t.doubtful}</Badge>}
      </Flex>
      <Facts rows={facts(payout)} />
      {!known && (
        <Flex mt="3">
          <Button size="sm" loading={busy} aria-label={t.askIt(payout.id)} onClick={ask}>
            {t.ask}
          </Button>
        </Flex>
      )}
    </chakra.li>
  );
}

const isKnown = ({ status }: Payout) => status !== "REQUESTED" && status !== "SENT";

/** Whether payouts came, moved or ended since the list was read. What was asked about on it, and is known now, is none. */
function isNews(shown: Payout[], { payouts, next }: PayoutPage) {
  const known = new Set(shown.filter(isKnown).map(({ id }) => id));
  const open = shown.filter((payout) => !isKnown(payout));
  const now = payouts.filter(({ id }) => !known.has(id));
  const same = now.every(({ id, status }, at) => open[at]?.id === id && open[at]?.status === status);
  return !same || (next === undefined && open.length > now.length);
}

/**
 * Payouts not known to be paid or failed, the oldest first: they are asked about, never sent again. The list does not
 * move by itself under who is about to ask.
 */
export function Payouts() {
  const { remote, rows, load, change, askMore, paging } = usePages({
    key: "payouts",
    area: "finance",
    rows: "payouts",
    read: ({ before }) => getPayouts(before),
  });
  const latest = useRead({ key: "payouts:news", area: "finance", topics: ["desk:finance"], read: () => getPayouts() });
  const look = () => {
    void load();
    void latest.load();
  };
  const replace = (now: Payout) =>
    change((page) => ({ ...page, payouts: page.payouts.map((one) => (one.id === now.id ? now : one)) }));
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
        {(page) => (
          <Stack gap="4">
            <chakra.p textStyle="body" color="fg.muted">
              {t.lead(page.count, formatNaira(page.amount))} {t.help}
            </chakra.p>
            {rows.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.noneTitle}>
                {t.none}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none">
                {rows.map((payout) => (
                  <Row key={payout.id} payout={payout} onAsked={replace} />
                ))}
              </chakra.ul>
            )}
            <More onMore={askMore} busy={paging} />
            <News
              title={latest.remote.state === "ready" && isNews(rows, latest.remote.value) ? t.news : undefined}
              look={t.look}
              onLook={look}
              atEnd
            />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
