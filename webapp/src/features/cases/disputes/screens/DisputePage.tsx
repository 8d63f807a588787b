import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { useParams } from "react-router";
import { readDisputePaper } from "@/api/disputes";
import type { Dispute } from "@/api/schema.gen";
import { Parted, type PartedProps } from "@/features/trust/witness";
import { moment } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { disputeSource } from "@/store/disputeSources";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { CopyButton } from "@/ui/CopyButton";
import { Empty, FailedNote } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { DownloadIcon } from "@/ui/icons";
import { OpenSeat } from "@/ui/illustrations";
import { Naira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { holdWords } from "../parts/holdWords";
import { Outcome } from "../parts/Outcome";
import { replies } from "../parts/Replies";
import { Thread } from "../parts/Thread";
import { standing, statusTones } from "../parts/tones";
import { useReady } from "../parts/useReady";
import { disputeTexts as t } from "../texts";

function facts({
  amount,
  hold,
  openedAt,
  acknowledgeBy,
  decideBy,
  resolvedAt,
  status,
  kind,
}: Dispute): [string, ReactNode][] {
  const rows: [string, ReactNode][] = [
    [t.amount, amount !== undefined && <Naira key="amount" amount={amount} />],
    [t.held, hold && holdWords(hold)],
    [kind === "CARD" ? t.openedByBank : t.opened, moment(openedAt)],
    [t.takeBy, (status === "OPEN" || status === "REOPENED") && moment(acknowledgeBy)],
    [status === "INFO_REQUESTED" ? t.decideLater : t.decideBy, !resolvedAt && moment(decideBy)],
    [t.ended, resolvedAt && moment(resolvedAt)],
  ];
  return rows.filter(([, fact]) => Boolean(fact));
}

/** A page that whoever gets it can check without us. */
function Evidence({ dispute: { id, number } }: { dispute: Dispute }) {
  const user = useStore((state) => state.session?.id ?? "");
  const [busy, setBusy] = useState(false);
  const [parted, setParted] = useState<PartedProps>();
  const save = async () => {
    setBusy(true);
    try {
      const { evidenceOf } = await import("../proof/evidence");
      const got = await evidenceOf(user, id);
      setParted("page" in got ? undefined : got);
      if ("page" in got) keepFile(got.page, t.evidenceFile(number));
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Stack gap="4" align="flex-start">
      <Button variant="outline" icon={<DownloadIcon />} loading={busy} onClick={save}>
        {t.evidence}
      </Button>
      {parted && <Parted {...parted} />}
    </Stack>
  );
}

function Links({ dispute: { movementId, groupId, ajoId, requestId } }: { dispute: Dispute }) {
  const links: [string, string][] = [
    ...(movementId ? [[t.movement, paths.activityDetail(movementId)] as [string, string]] : []),
    ...(groupId && requestId ? [[t.request, paths.liquidations(groupId, requestId)] as [string, string]] : []),
    ...(groupId ? [[t.group, paths.group(groupId)] as [string, string]] : []),
    ...(ajoId ? [[t.ajo, paths.ajo(ajoId)] as [string, string]] : []),
  ];
  if (links.length === 0) return null;
  return (
    <Flex gap="3" wrap="wrap">
      {links.map(([name, to]) => (
        <LinkButton key={to} variant="outline" to={to}>
          {name}
        </LinkButton>
      ))}
    </Flex>
  );
}

function Standing({ dispute }: { dispute: Dispute }) {
  const { kind, status, answerBy, late, resolvedAt, steps } = dispute;
  const answered = steps.some((step) => step.kind === "CARD_DECLINED" || step.kind === "CARD_ACCEPTED");
  return (
    <Card title={t.facts} action={<Badge tone={statusTones[status]}>{standing(dispute)}</Badge>}>
      <Stack gap="5" data-status={status}>
        {status === "INFO_REQUESTED" && answerBy && <Note tone="warning">{t.still(moment(answerBy))}</Note>}
        {late && !resolvedAt && (
          <Note tone="danger" title={t.lateTitle}>
            {t.late}
          </Note>
        )}
        {kind === "CARD" && !resolvedAt && (
          <Note tone={answered ? "brand" : "warning"} title={answered ? t.bankAnsweredTitle : t.bankTitle}>
            {answered ? t.bankAnswered : t.bank(dispute.bankReason)}
          </Note>
        )}
        <Facts rows={facts(dispute)} />
        <Links dispute={dispute} />
        <Evidence dispute={dispute} />
        <chakra.p textStyle="small" color="fg.muted">
          {t.zone}
        </chakra.p>
      </Stack>
    </Card>
  );
}

function Whole({ dispute, onChanged }: { dispute: Dispute; onChanged: (now: Dispute) => void }) {
  const { id, number, title, steps, mayAnswer, mayAdd, mayReopen, mayWithdraw } = dispute;
  const reply = { dispute, onChanged };
  const ready = useReady(dispute, onChanged);
  return (
    <Stack gap="4">
      <chakra.div mb="-4">
        <PageHead
          title={title}
          detail={
            <chakra.span fontWeight="600" data-number={number}>
              {number}
            </chakra.span>
          }
          action={<CopyButton value={number} what={t.number} size="md" />}
        />
      </chakra.div>
      <Outcome dispute={dispute} />
      {mayAnswer && <replies.Answer dispute={dispute} ready={ready} />}
      <Standing dispute={dispute} />
      <Card title={t.thread}>
        <Thread steps={steps} side="member" number={number} read={(paper) => readDisputePaper(id, paper)} />
      </Card>
      {mayAdd && !mayAnswer && <replies.Add ready={ready} />}
      {mayReopen && <replies.Reopen {...reply} />}
      {mayWithdraw && <replies.Withdraw {...reply} />}
    </Stack>
  );
}

const missing = (
  <Card>
    <Empty
      whole
      picture={<OpenSeat />}
      title={t.missingTitle}
      action={<LinkButton to={paths.disputes}>{t.back}</LinkButton>}
    >
      {t.missing}
    </Empty>
  </Card>
);

/** A dispute of one's own, with all that was said in it; it follows by itself. */
export function DisputePage() {
  const { id = "" } = useParams();
  const { remote, load, put } = useRead(disputeSource(id));
  return (
    <chakra.div maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.disputes}>{t.back}</BackLink>
      <chakra.div mt="3">
        {remote.state === "ready" && <Whole dispute={remote.value} onChanged={put} />}
        {remote.state === "loading" && <PageSkeleton />}
        {remote.state === "failed" && (remote.missing ? missing : <FailedNote text={remote.text} onRetry={load} />)}
      </chakra.div>
    </chakra.div>
  );
}
