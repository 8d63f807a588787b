import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useRef, useState } from "react";
import { useParams } from "react-router";
import type { Case, CorrectionOfLab } from "@/api/schema.gen";
import { getCase, readCasePaper } from "@/api/support";
import { Corrected } from "@/features/cases/corrections";
import { holdWords, standing, statusTones, Thread } from "@/features/cases/disputes";
import { moment, shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { CopyButton } from "@/ui/CopyButton";
import { Empty, FailedNote } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { OpenBook } from "@/ui/illustrations";
import { Naira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { BankAnswer } from "../bank/BankAnswer";
import { Lab } from "../lab/Lab";
import { Ask } from "../parts/Ask";
import { dueWords, whoHas } from "../parts/CaseLine";
import { CaseNews } from "../parts/CaseNews";
import { Decide } from "../parts/Decide";
import { Found } from "../parts/Found";
import { Member } from "../parts/Member";
import { type CaseDeeds, useCaseDeeds } from "../parts/useCaseDeeds";
import { useNamed } from "../parts/useNamed";
import { caseStatusTexts, caseTexts as t } from "../texts";
import { TimeMachine } from "../timemachine/TimeMachine";

/** Nobody has it: it was just opened, or it is to be looked at again. */
const waits = ({ status }: Case) => status === "OPEN" || status === "REOPENED";

function facts(kase: Case): [string, ReactNode][] {
  const { amount, paidAt, openedAt, acknowledgeBy, decideBy, groupName, ajoName, isOpen } = kase;
  const rows: [string, ReactNode][] = [
    [t.member, <Member key="member" kase={kase} />],
    [t.amount, amount !== undefined && <Naira key="amount" amount={amount} />],
    [t.hold, kase.hold && holdWords(kase.hold)],
    [t.bankReason, kase.bankReason && (t.bankReasons[kase.bankReason] ?? kase.bankReason)],
    [t.paidOn, paidAt && shortDay(paidAt)],
    [t.group, groupName],
    [t.ajo, ajoName],
    [t.opened, moment(openedAt)],
    [t.takeBy, waits(kase) && moment(acknowledgeBy)],
    [t.decideBy, isOpen && moment(decideBy)],
    [t.staff, whoHas(kase)],
  ];
  return rows.filter(([, fact]) => Boolean(fact));
}

interface WorkProps {
  kase: Case;
  deeds: CaseDeeds;
}

function Work({ kase, deeds }: WorkProps) {
  const [asking, setAsking] = useState(false);
  const { isOpen, isMine, status, answerBy, hold } = kase;
  if (!isOpen) return null;
  const asked = status === "INFO_REQUESTED";
  return (
    <Stack gap="3">
      {asked && answerBy && <Note tone="warning">{t.waiting(moment(answerBy))}</Note>}
      {(!isMine || waits(kase)) && !asked && (
        <>
          <Note>{t.taken}</Note>
          <Flex>
            <Button loading={deeds.taking} onClick={deeds.take}>
              {t.take}
            </Button>
          </Flex>
        </>
      )}
      {isMine && !waits(kase) && !asked && (
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" onClick={() => setAsking(true)}>
            {t.ask}
          </Button>
          {(hold?.status === "ASKED" || hold?.status === "HELD") && (
            <Button variant="outline" loading={deeds.holding} onClick={deeds.hold}>
              {t.holdIt[hold.status]}
            </Button>
          )}
        </Flex>
      )}
      <Ask open={asking} onClose={() => setAsking(false)} onAsk={deeds.ask} />
    </Stack>
  );
}

function Standing({ kase, deeds }: WorkProps) {
  const { status, late, isOpen } = kase;
  const due = dueWords(kase);
  return (
    <Card title={t.facts} action={<Badge tone={statusTones[status]}>{standing(kase, caseStatusTexts)}</Badge>}>
      <Stack gap="5" data-status={status}>
        <chakra.p fontWeight="600" color={due.late || (late && isOpen) ? "fg.danger" : undefined}>
          {due.words}
        </chakra.p>
        <Facts rows={facts(kase)} />
        <Work kase={kase} deeds={deeds} />
      </Stack>
    </Card>
  );
}

/** What a lab makes of itself as a correction, and where that is shown. */
function useDraft() {
  const [{ draft, drafts }, setDraft] = useState<{ draft?: CorrectionOfLab; drafts: number }>({ drafts: 0 });
  const at = useRef<HTMLDivElement>(null);
  const take = (made: CorrectionOfLab) => {
    setDraft({ draft: made, drafts: drafts + 1 });
    at.current?.scrollIntoView?.();
    at.current?.focus();
  };
  return { draft, drafts, at, take, drop: () => setDraft({ drafts }) };
}

interface WholeProps {
  kase: Case;
  onChanged: (now: Case) => void;
  onLook: () => void;
}

function Whole({ kase, onChanged, onLook }: WholeProps) {
  const { id, number, title, steps, isMine, isOpen } = kase;
  const deeds = useCaseDeeds(kase, onChanged);
  const named = useNamed();
  const { draft, at, drafts, take, drop } = useDraft();
  const corrected = () => {
    drop();
    onLook();
  };
  const said = steps.find(({ kind }) => kind === "OPENED")?.words;
  const inHand = isMine && isOpen && !waits(kase);
  return (
    <Stack gap="4">
      <chakra.div mb="-4">
        <PageHead
          title={title}
          detail={`${number}. ${t.lookRecorded}`}
          action={<CopyButton value={number} what={t.number} size="md" />}
        />
      </chakra.div>
      <CaseNews kase={kase} onLook={onLook} />
      <Standing kase={kase} deeds={deeds} />
      {kase.kind === "CARD" && <BankAnswer kase={kase} inHand={inHand} onChanged={onLook} />}
      {said && (
        <Card title={t.says}>
          <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere" maxWidth="44rem">
            {said}
          </chakra.p>
        </Card>
      )}
      <Found kase={kase} />
      {inHand && <TimeMachine kase={kase} named={named} />}
      {inHand && <Lab kase={kase} tried={named.tried} onPlan={take} />}
      <Card title={t.thread}>
        <Thread steps={steps} side="desk" number={number} read={(paper) => readCasePaper(id, paper)} />
      </Card>
      <chakra.div ref={at} tabIndex={-1} scrollMarginTop="20" outline="none">
        <Corrected
          key={`${kase.plan} ${drafts}`}
          kase={kase}
          inHand={inHand}
          named={named.named}
          draft={draft}
          onChanged={corrected}
        />
      </chakra.div>
      {inHand && <Decide named={named} deeds={deeds} />}
    </Stack>
  );
}

const missing = (
  <Card>
    <Empty
      whole
      picture={<OpenBook />}
      title={t.missingTitle}
      action={<LinkButton to={paths.support()}>{t.back}</LinkButton>}
    >
      {t.missing}
    </Empty>
  </Card>
);

/** A case of the desk, with all that is known of it. */
export function CasePage() {
  const { id = "" } = useParams();
  const { remote, load, put } = useRead({ key: `case:${id}`, area: "support", read: () => getCase(id) });
  return (
    <chakra.div>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.support()}>{t.back}</BackLink>
      <chakra.div mt="3">
        {remote.state === "ready" && <Whole kase={remote.value} onChanged={put} onLook={() => void load()} />}
        {remote.state === "loading" && <PageSkeleton />}
        {remote.state === "failed" && (remote.missing ? missing : <FailedNote text={remote.text} onRetry={load} />)}
      </chakra.div>
    </chakra.div>
  );
}
