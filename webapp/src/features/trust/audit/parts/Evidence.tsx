import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { AuditPayment } from "@/api/schema.gen";
import { Question } from "@/features/cases/questions";
import { moment } from "@/lib/dates";
import { channelWords } from "@/lib/texts/money";
import { Button } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { auditTexts as t } from "../texts";
import { type Marking, markable } from "./useMarking";

export const markTones = {
  UNREVIEWED: "neutral",
  VALIDATED: "success",
  QUERIED: "warning",
  RESOLVED: "success",
} as const;

interface MarksProps {
  payment: AuditPayment;
  marking: Marking;
  busy: boolean;
}

interface EvidenceProps extends MarksProps {
  /** Has the payments of one member alone shown. */
  onMember?: (id: string) => void;
}

function Marks({ payment, marking, busy }: MarksProps) {
  const { name } = payment;
  if (!payment.mayMark) {
    return (
      <chakra.p textStyle="small" color="fg.muted">
        {marking.notYours}
      </chakra.p>
    );
  }
  const button = (word: "VALIDATED" | "QUERIED" | "RESOLVED", label: string) =>
    markable(payment, word) && (
      <Button
        variant={word === "QUERIED" ? "outline" : "primary"}
        loading={busy}
        aria-label={t.of(label, name)}
        onClick={() => marking.say(word, [payment])}
      >
        {label}
      </Button>
    );
  return (
    <Flex gap="3" wrap="wrap">
      {button("VALIDATED", payment.mayRecheck ? t.agree : t.validate)}
      {button("RESOLVED", t.resolve)}
      {button("QUERIED", t.query)}
    </Flex>
  );
}

/** One payment with what the bank and the ledger say of it, and the marks it may be given. */
export function Evidence({ payment, marking, busy, onMember }: EvidenceProps) {
  const { name, paidByName, subAccountName, amount, kind, date, channel, mark, oddities, evidence } = payment;
  const { settled = [], markedByName, markedAt, reason, place, disputed, sampleOf, recheck, recheckedByName } = payment;
  return (
    <Stack gap="4" data-evidence={payment.id}>
      <div>
        <Flex gap="2" wrap="wrap" mb="2">
          <Badge tone={markTones[mark]}>{t.marks[mark]}</Badge>
          <Badge>{t.kinds[kind]}</Badge>
          {disputed && <Badge tone="warning">{t.disputed}</Badge>}
          {sampleOf && <Badge tone="brand">{t.sampleOf(sampleOf)}</Badge>}
          {recheck && <Badge tone="warning">{t.recheck}</Badge>}
        </Flex>
        <chakra.p textStyle="figure">
          <Naira amount={amount} />
        </chakra.p>
        <chakra.p textStyle="body" overflowWrap="anywhere">
          {[name, paidByName && t.by(paidByName)].filter(Boolean).join(", ")}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {[place?.name, subAccountName, moment(date), channelWords[channel]].filter(Boolean).join(" · ")}
        </chakra.p>
        {onMember && (
          <Button variant="link" onClick={() => onMember(payment.userId)}>
            {t.onlyMember(name)}
          </Button>
        )}
      </div>
      {oddities.length > 0 && (
        <Note tone="warning" title={t.odd}>
          <chakra.ul ps="4" listStyleType="disc">
            {oddities.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </chakra.ul>
        </Note>
      )}
      {markedByName && markedAt && (
        <Note tone={mark === "QUERIED" ? "warning" : "success"}>
          <p>{t.marked(t.marks[mark], markedByName, moment(markedAt))}</p>
          {reason && <p>“{reason}”</p>}
          {recheck && <p>{t.recheckWhy}</p>}
          {recheckedByName && <p>{t.recheckedBy(recheckedByName)}</p>}
        </Note>
      )}
      {(mark === "QUERIED" || mark === "RESOLVED") && <Question key={payment.id} id={payment.id} />}
      <Marks payment={payment} marking={marking} busy={busy} />
      <div>
        <chakra.h3 textStyle="label" mb="3">
          {t.evidence}
        </chakra.h3>
        {evidence.length === 0 ? (
          <chakra.p textStyle="body" color="fg.muted">
            {t.noEvidence}
          </chakra.p>
        ) : (
          <Facts rows={evidence.map(({ label, value }) => [label, value])} />
        )}
      </div>
      {settled.length > 0 && (
        <div>
          <chakra.h3 textStyle="label" mb="3">
            {t.settled}
          </chakra.h3>
          <Facts rows={settled.map((one) => [one.label, <Naira key={one.period} amount={one.amount} />])} />
        </div>
      )}
    </Stack>
  );
}
