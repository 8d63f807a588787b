import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Correction } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { Reason } from "@/ui/form/Reason";
import { correctionTexts as t } from "../texts";
import { Effects } from "./Effects";
import type { PlanDeeds } from "./usePlanDeeds";

const saying = ({ proposedByName, proposedAt, steps }: Correction) =>
  [t.by(proposedByName, moment(proposedAt)), ...steps.map((step) => step.words)].join(" ");

function Decide({ plan, deeds }: { plan: Correction; deeds: PlanDeeds }) {
  const [asked, setAsked] = useState<"approve" | "decline">();
  const { saw, changed, look, done } = useSeen(plan, ({ id }) => id);
  const ask = (to: "approve" | "decline") => {
    look();
    setAsked(to);
  };
  const close = () => {
    setAsked(undefined);
    done();
  };
  if (!plan.mayApprove && !plan.mayDecline) return null;
  const no = plan.isMine ? t.takeBack : t.decline;
  return (
    <Flex gap="3" wrap="wrap">
      {plan.mayApprove && <Button onClick={() => ask("approve")}>{t.approve}</Button>}
      {plan.mayDecline && (
        <Button variant="outline" onClick={() => ask("decline")}>
          {no}
        </Button>
      )}
      <Confirm
        open={asked === "approve"}
        title={t.approveTitle}
        yes={t.approve}
        no={t.no}
        onClose={close}
        onYes={() => deeds.approve(saw.id)}
      >
        <Stack gap="3">
          <Effects events={saw.events} refused={saw.refused} />
          <p>{t.approveText}</p>
          {changed && <Changed saw={saying(saw)} now={saying(plan)} />}
        </Stack>
      </Confirm>
      <Reason
        open={asked === "decline"}
        title={no}
        label={t.declineLabel}
        fault={t.declineFault}
        yes={no}
        no={t.no}
        onClose={close}
        onYes={(words) => deeds.decline(saw.id, words)}
      >
        {t.declineText}
      </Reason>
    </Flex>
  );
}

/** A correction as it stands: what it does, why, who agreed, and what the reader may do with it. */
export function Plan({ plan, deeds }: { plan: Correction; deeds: PlanDeeds }) {
  const { status, steps, words, countsFrom, proposedAt, proposedByName, isMine, approvals, needed, reason } = plan;
  const open = status === "PROPOSED" || status === "APPROVED";
  return (
    <Stack gap="4" data-plan={status}>
      <chakra.div textStyle="body">
        <p>{isMine ? t.byYou(moment(proposedAt)) : t.by(proposedByName, moment(proposedAt))}</p>
        <p>{t.countsFrom(moment(countsFrom))}</p>
        <p>{t.approvals(approvals, needed)}</p>
      </chakra.div>
      <chakra.ol ps="5" textStyle="body">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan never change places
          <li key={at}>{step.words}</li>
        ))}
      </chakra.ol>
      <chakra.p textStyle="body" whiteSpace="pre-wrap" overflowWrap="anywhere">
        “{words}”
      </chakra.p>
      {reason && <Note tone="warning">{reason}</Note>}
      {open && <Effects events={plan.events} refused={plan.refused} />}
      <Decide plan={plan} deeds={deeds} />
    </Stack>
  );
}
