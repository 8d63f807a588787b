import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useEffect, useRef } from "react";
import { getBankAnswer } from "@/api/bankAnswers";
import type { BankAnswer as Answer, Case } from "@/api/schema.gen";
import { apart } from "@/lib/clocks";
import { moment } from "@/lib/dates";
import { present } from "@/lib/present";
import { useRead } from "@/store/useRead";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { caseTexts, bankTexts as t } from "../texts";
import { AnswerForm } from "./AnswerForm";
import { Given } from "./Given";
import { useBankDeeds } from "./useBankDeeds";

type Standing = keyof typeof t.status;

const tones: Record<Standing, "brand" | "success" | "warning" | "danger" | "neutral"> = {
  NONE: "warning",
  FAILED: "danger",
  DROPPED: "warning",
  PROPOSED: "warning",
  GIVEN: "brand",
  SENT: "brand",
  TAKEN: "brand",
  ACCEPTED: "neutral",
  WON: "success",
  LOST: "danger",
  OVER: "danger",
};

const isOver = ({ answerBy }: Answer, now = present()) => Boolean(answerBy && new Date(answerBy) <= now);

/** Where it stands for the desk: what the bank decided, else where our answer is. */
function standingOf(answer: Answer, kase: Case): Standing {
  const { status = "NONE", accepted, ended } = answer;
  if (ended) {
    if (status === "TAKEN" && accepted) return "ACCEPTED";
    return kase.steps.some(({ kind }) => kind === "BANK_KEPT") ? "WON" : "LOST";
  }
  if (status === "TAKEN") return accepted ? "ACCEPTED" : "TAKEN";
  const open = status === "NONE" || status === "FAILED" || status === "DROPPED" || status === "PROPOSED";
  return open && isOver(answer) ? "OVER" : status;
}

function factsOf({ disputed, bankReason, answerBy, ended, status }: Answer): [string, ReactNode][] {
  const rows: [string, ReactNode][] = [[t.disputed, <Naira key="disputed" amount={disputed} />]];
  if (bankReason) rows.push([t.reason, caseTexts.bankReasons[bankReason] ?? bankReason]);
  if (answerBy) {
    const runs = !ended && status !== "TAKEN" && new Date(answerBy) > present();
    rows.push([t.by, runs ? t.left(moment(answerBy), apart(answerBy, present())) : moment(answerBy)]);
  }
  return rows;
}

function Known({ facts }: Pick<Answer, "facts">) {
  return (
    <div>
      <chakra.h3 textStyle="label" mb="1">
        {t.facts}
      </chakra.h3>
      <chakra.p textStyle="small" color="fg.muted" mb="2">
        {facts.length === 0 ? t.factsNone : t.factsLead}
      </chakra.p>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1.5" maxWidth="44rem">
        {facts.map((fact) => (
          <chakra.li key={fact} overflowWrap="anywhere">
            {fact}
          </chakra.li>
        ))}
      </chakra.ul>
    </div>
  );
}

interface BankAnswerProps {
  kase: Case;
  inHand: boolean;
  /** Reads the case anew. */
  onChanged: () => void;
}

/** What the bank of a card waits for, what it is told, and where that stands. */
export function BankAnswer({ kase, inHand, onChanged }: BankAnswerProps) {
  const { remote, load, put } = useRead({
    key: `bank:${kase.id}`,
    area: "support",
    read: () => getBankAnswer(kase.id),
  });
  const deeds = useBankDeeds(
    kase.id,
    (now) => {
      put(now);
      onChanged();
    },
    () => void load(),
  );
  // More has happened in the case than the answer knows of. Every look is recorded: it is not read again otherwise.
  const known = useRef<number>(undefined);
  known.current = remote.state === "ready" ? remote.value.stepCount : undefined;
  useEffect(() => {
    if (known.current !== undefined && known.current < kase.stepCount) void load();
  }, [kase.stepCount, load]);
  const standing = remote.state === "ready" ? standingOf(remote.value, kase) : undefined;
  return (
    <Card title={t.title} action={standing && <Badge tone={tones[standing]}>{t.status[standing]}</Badge>}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(answer) => (
          <Stack gap="5" data-bank={standing}>
            <Facts rows={factsOf(answer)} />
            {answer.soon && <Note tone="danger">{t.soon}</Note>}
            {standing === "OVER" && <Note tone="danger">{t.over}</Note>}
            {answer.answerId && <Given answer={answer} deeds={deeds} onLook={() => void load()} />}
            {!answer.ended && <Known facts={answer.facts} />}
            {answer.mayAnswer && <AnswerForm key={answer.answerId} answer={answer} deeds={deeds} />}
            {!answer.mayAnswer && !inHand && kase.isOpen && standing !== "OVER" && <Note>{t.take}</Note>}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
