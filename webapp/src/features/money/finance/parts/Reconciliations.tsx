import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getReconciliation, getReconciliations, reconcile } from "@/api/finance";
import type { Reconciliation } from "@/api/schema.gen";
import { moment, timeOf } from "@/lib/dates";
import { told } from "@/store/reportMoney";
import { usePages, useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";

const t = financeTexts.reconciliation;
const tones = {
  BANK_ONLY: "danger",
  LEDGER_ONLY: "danger",
  AMOUNT_DIFFERS: "danger",
  IN_TRANSIT: "neutral",
  TIME_AHEAD: "warning",
} as const;

type Item = Reconciliation["items"][number];

function Difference({ item }: { item: Item }) {
  const { kind, rail, reference, amount, direction, at, ageHours, words } = item;
  return (
    <chakra.li py="3" borderTopWidth="1px" _first={{ borderTopWidth: "0" }}>
      <Flex justify="space-between" gap="3" wrap="wrap" align="center">
        <Flex gap="2" wrap="wrap" align="center">
          <Badge tone={tones[kind]}>{t.kinds[kind]}</Badge>
          <chakra.span textStyle="small" color="fg.muted" overflowWrap="anywhere">
            {rail} · {reference}
          </chakra.span>
        </Flex>
        <chakra.span fontWeight="600">
          <Naira amount={amount} direction={direction && (direction === "IN" ? "in" : "out")} />
        </chakra.span>
      </Flex>
      <chakra.p textStyle="body" mt="1">
        {words}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {moment(at)} · {t.old}: {t.age(ageHours)}
      </chakra.p>
    </chakra.li>
  );
}

/** Every difference of one run: lists come without them. */
function Differences({ id }: { id: string }) {
  const { remote, load } = useRead({
    key: `reconciliation:${id}`,
    area: "finance",
    read: () => getReconciliation(id),
  });
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
      {({ items }) =>
        items.length === 0 ? (
          <chakra.p textStyle="body" color="fg.muted">
            {t.noItems}
          </chakra.p>
        ) : (
          <>
            <chakra.h4 textStyle="label">{t.items}</chakra.h4>
            <chakra.ul listStyleType="none">
              {items.map((item) => (
                <Difference key={`${item.kind}${item.rail}${item.reference}${item.at}`} item={item} />
              ))}
            </chakra.ul>
          </>
        )
      }
    </Loaded>
  );
}

function Run({ run, first }: { run: Reconciliation; first: boolean }) {
  const [open, setOpen] = useState(first);
  const { reserves, balanced, problem, startedAt, finishedAt, trigger } = run;
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-reconciliation={run.id}>
      <Flex gap="3" align="center" wrap="wrap" mb="2">
        <chakra.h3 fontWeight="650">{moment(startedAt)}</chakra.h3>
        <Badge tone={balanced ? "success" : "danger"}>{balanced ? t.balanced : t.differs}</Badge>
        <chakra.span textStyle="small" color="fg.muted">
          {t.trigger[trigger]} · {t.took(timeOf(startedAt), timeOf(finishedAt))}
        </chakra.span>
      </Flex>
      {problem && (
        <Box mb="3">
          <Note tone="warning" title={t.problem}>
            {problem}
          </Note>
        </Box>
      )}
      <Facts
        rows={[
          [t.owed, <Naira key="owed" amount={reserves.owed} />],
          [t.held, <Naira key="held" amount={reserves.held} />],
          [t.transit, <Naira key="transit" amount={reserves.inTransit} />],
          [t.difference, <Naira key="difference" amount={Number(reserves.difference)} />],
        ]}
      />
      <Stack mt="3" gap="2">
        {open ? (
          <Differences id={run.id} />
        ) : (
          <Flex>
            <Button
              size="sm"
              variant="outline"
              aria-label={`${t.open}: ${moment(startedAt)}`}
              onClick={() => setOpen(true)}
            >
              {t.open}
            </Button>
          </Flex>
        )}
      </Stack>
    </chakra.li>
  );
}

/** The ledger held against the banks: each run, what it found, and one now. */
export function Reconciliations() {
  const { remote, rows, load, askMore, paging } = usePages({
    key: "reconciliations",
    area: "finance",
    rows: "reconciliations",
    read: ({ before }) => getReconciliations(before),
  });
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    if (await told(reconcile())) await load();
    setBusy(false);
  };
  return (
    <Card
      title={t.title}
      action={
        <Button loading={busy} onClick={run}>
          {t.run}
        </Button>
      }
    >
      <chakra.p textStyle="body" color="fg.muted" mb="4">
        {t.lead}
      </chakra.p>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
        {() =>
          rows.length === 0 ? (
            <Empty picture={<OpenBook />} title={t.noneTitle}>
              {t.none}
            </Empty>
          ) : (
            <>
              <chakra.ul listStyleType="none">
                {rows.map((one, at) => (
                  <Run key={one.id} run={one} first={at === 0} />
                ))}
              </chakra.ul>
              <More onMore={askMore} busy={paging} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
