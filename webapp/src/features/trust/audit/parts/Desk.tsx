import { Box, chakra, Flex, Grid } from "@chakra-ui/react";
import { type ChangeEvent, useEffect, useRef } from "react";
import type { AuditPayment } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { Badge, VisuallyHidden } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Checkbox } from "@/ui/form/Checkbox";
import { Reason } from "@/ui/form/Reason";
import { WarningIcon } from "@/ui/icons";
import { LongList } from "@/ui/LongList";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { useWide } from "@/ui/useWide";
import { auditTexts as t } from "../texts";
import { Evidence, markTones } from "./Evidence";
import { Keys } from "./Keys";
import { Undo } from "./Undo";
import { type Marking, markable, useMarking } from "./useMarking";
import type { Queue } from "./useQueue";

const ROW_PX = 80;

interface RowProps {
  payment: AuditPayment;
  current: boolean;
  chosen: boolean;
  /** Whether room is kept for a tick: some of the list may be chosen. */
  gutter: boolean;
  onOpen: () => void;
  /** Alone, or with all from the one chosen last. */
  onChoose: (range: boolean) => void;
}

const withShift = ({ nativeEvent }: ChangeEvent) => nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;

function Row({ payment, current, chosen, gutter, onOpen, onChoose }: RowProps) {
  const { id, userId, name, subAccountName, kind, date, amount, mark, answered, oddities, place, sampleOf, recheck } =
    payment;
  // Across groups the group says more than its sub-account, which the evidence names.
  const detail = [kind === "CONTRIBUTION" ? "" : t.kinds[kind], place?.name ?? subAccountName, shortDay(date)];
  return (
    <Flex
      align="center"
      gap="1"
      py="1.5"
      px="1"
      bg={current ? "bg.brand" : undefined}
      borderRadius="md"
      borderStartWidth="3px"
      borderColor={current ? "brand" : "transparent"}
    >
      {payment.mayMark && (
        <Checkbox label={t.choose(name)} checked={chosen} onChange={(event) => onChoose(withShift(event))} />
      )}
      {!payment.mayMark && gutter && <Box width="11" flexShrink="0" />}
      <chakra.button
        type="button"
        data-audit={id}
        aria-current={current ? "true" : undefined}
        onClick={onOpen}
        display="flex"
        flex="1"
        minWidth="0"
        minHeight="14"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        px="2"
        borderRadius="md"
        textAlign="start"
        cursor="pointer"
      >
        <Person id={userId} name={name} detail={detail.filter(Boolean).join(" · ")} />
        <Flex direction="column" align="flex-end" gap="1" flexShrink="0">
          <chakra.span fontWeight="600">
            <Naira amount={amount} />
          </chakra.span>
          <Flex gap="1.5" align="center">
            {oddities.length > 0 && (
              <chakra.span color="fg.warning" role="img" aria-label={t.odd} title={oddities.join(" ")}>
                <WarningIcon />
              </chakra.span>
            )}
            {answered && <Badge tone="brand">{t.answered}</Badge>}
            {sampleOf && (
              <span title={t.sampleOf(sampleOf)}>
                <Badge tone="brand">{t.sample}</Badge>
              </span>
            )}
            {recheck && <Badge tone="warning">{t.recheck}</Badge>}
            {mark !== "UNREVIEWED" && !answered && !recheck && <Badge tone={markTones[mark]}>{t.marks[mark]}</Badge>}
          </Flex>
        </Flex>
      </chakra.button>
    </Flex>
  );
}

function Chosen({ queue, marking }: { queue: Queue; marking: Marking }) {
  const { chosen, payments } = queue;
  const busy = chosen.some(({ id }) => queue.isBusy(id));
  const mine = payments.filter(({ mayMark }) => mayMark).map(({ id }) => id);
  if (mine.length === 0) return null;
  if (chosen.length === 0) {
    return (
      <Button size="sm" variant="ghost" title={t.limit} onClick={() => queue.choose(mine)}>
        {t.chooseAll}
      </Button>
    );
  }
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <chakra.p textStyle="body" fontWeight="600" role="status">
        {t.chosen(chosen.length)}
      </chakra.p>
      <Button size="sm" loading={busy} onClick={() => marking.say("VALIDATED", chosen)}>
        {t.validate}
      </Button>
      <Button size="sm" variant="outline" disabled={busy} onClick={() => marking.say("QUERIED", chosen)}>
        {t.query}
      </Button>
      {chosen.some((payment) => markable(payment, "RESOLVED")) && (
        <Button size="sm" variant="outline" disabled={busy} onClick={() => marking.say("RESOLVED", chosen)}>
          {t.resolve}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={() => queue.choose([])}>
        {t.clear}
      </Button>
    </Flex>
  );
}

/** The question before many payments are validated, or any is queried or resolved. */
function Ask({ marking: { asking, close, confirm } }: { marking: Marking }) {
  const count = asking?.payments.length ?? 0;
  const word = asking?.word;
  const query = word !== "RESOLVED";
  const many = query ? t.queryMany(count) : t.resolveMany(count);
  return (
    <>
      <Confirm
        open={word === "VALIDATED"}
        title={t.validateTitle(count)}
        yes={t.validate}
        no={t.cancel}
        onClose={close}
        onYes={() => confirm()}
      >
        {t.validateText}
      </Confirm>
      <Reason
        open={word === "QUERIED" || word === "RESOLVED"}
        title={count > 1 ? many : query ? t.queryTitle : t.resolveTitle}
        label={t.reason}
        fault={t.reasonFault}
        yes={query ? t.query : t.resolve}
        no={t.cancel}
        onClose={close}
        onYes={confirm}
      >
        {query ? t.queryLead : t.resolveLead}
      </Reason>
    </>
  );
}

/** Moving by key brings the focus along, so that what is moved to is read out; so does an address that names it. */
function useFollowing(at: number, id: string | undefined, wanted: string | undefined) {
  const before = useRef(wanted && wanted === id ? undefined : at);
  useEffect(() => {
    if (before.current === at || !id) return;
    const opening = before.current === undefined;
    before.current = at;
    const rows = document.querySelectorAll<HTMLElement>("[data-audit]");
    const row = [...rows].find(({ dataset }) => dataset.audit === id);
    row?.focus({ preventScroll: true });
    if (opening) row?.scrollIntoView?.({ block: "center" });
  }, [at, id]);
}

/** The queue and the evidence: beside each other on a wide screen, one within the other on a phone. */
export function Desk({ queue, onMember }: { queue: Queue; onMember?: (id: string) => void }) {
  const marking = useMarking(queue);
  const { payments, at, current } = queue;
  useFollowing(at, current?.id, queue.wanted);
  const wide = useWide();
  const gutter = payments.some(({ mayMark }) => mayMark);
  return (
    <Grid
      templateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 1.1fr) minmax(0, 1fr)" }}
      gap="4"
      alignItems="start"
    >
      <Card>
        <VisuallyHidden as="h2">{queue.words.list}</VisuallyHidden>
        <Flex justify="space-between" gap="3" mb="3" wrap="wrap" align="center">
          <Chosen queue={queue} marking={marking} />
          <Keys marking={marking} />
        </Flex>
        <LongList
          label={queue.words.list}
          items={payments}
          idOf={({ id }) => id}
          rowPx={ROW_PX}
          more={queue.more}
          paging={queue.paging}
          at={at}
        >
          {(payment, place) => (
            <>
              <Row
                payment={payment}
                current={place === at}
                chosen={queue.isChosen(payment.id)}
                gutter={gutter}
                onOpen={() => queue.go(place)}
                onChoose={(range) => (range ? queue.range : queue.toggle)(payment.id)}
              />
              {place === at && !wide && (
                <Box px="3" py="4">
                  <Evidence payment={payment} marking={marking} busy={queue.isBusy(payment.id)} onMember={onMember} />
                </Box>
              )}
            </>
          )}
        </LongList>
      </Card>
      {current && wide && (
        <Box position="sticky" top="5rem">
          <Card title={t.evidence}>
            <Evidence payment={current} marking={marking} busy={queue.isBusy(current.id)} onMember={onMember} />
          </Card>
        </Box>
      )}
      <Undo marking={marking} />
      <Ask marking={marking} />
    </Grid>
  );
}
