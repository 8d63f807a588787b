import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { AjoCycle, AjoPayout } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { ajoWords } from "@/lib/texts/ajo";
import { ajoPayoutSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { payoutTexts as t } from "../texts";
import { Approve } from "./Approve";
import { Figures } from "./Figures";
import { Refuse } from "./Refuse";
import { RequestModal } from "./RequestModal";

/** How far it is, in sentences. */
function linesOf(payout: AjoPayout): string[] {
  const { requestedBy, requestedAt, destination, approvals, needed, needs, status, paidAt, heldUntil } = payout;
  const waits = status === "PAYOUT_REQUESTED" || status === "READY";
  return [
    requestedBy && requestedAt ? t.asked(requestedBy, moment(requestedAt)) : "",
    destination === "BANK" ? t.toBank : "",
    requestedBy && status !== "PAID" ? t.approvals(approvals.length, needed) : "",
    approvals.length > 0 ? t.approvedBy(approvals.join(", ")) : "",
    needs && waits ? t.needs(needs) : "",
    waits && payout.paysItselfAt ? t.itself(moment(payout.paysItselfAt)) : "",
    heldUntil && status === "ON_HOLD" ? t.held(moment(heldUntil)) : "",
    paidAt ? t.paid(moment(paidAt)) : "",
  ].filter(Boolean);
}

function Acts({ payout }: { payout: AjoPayout }) {
  const { mayRequest, mayApprove, mayRefuse } = payout;
  const [asking, setAsking] = useState(false);
  return (
    <Flex gap="2" wrap="wrap">
      {mayRequest && <Button onClick={() => setAsking(true)}>{t.request}</Button>}
      {mayApprove && <Approve payout={payout} />}
      {mayRefuse && <Refuse payout={payout} />}
      <RequestModal payout={payout} open={asking} onClose={() => setAsking(false)} />
    </Flex>
  );
}

function Detail({ payout }: { payout: AjoPayout }) {
  return (
    <Stack gap="4">
      <chakra.ul listStyleType="none" data-cycle={payout.cycle} data-payout={payout.status}>
        {linesOf(payout).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </chakra.ul>
      {payout.refusals.map(({ name, refusal, reason }) => (
        <Note key={name + reason} tone="warning">
          {t.refused(name, t.refusals[refusal].title, reason)}
        </Note>
      ))}
      <Figures payout={payout} />
      <Acts payout={payout} />
    </Stack>
  );
}

/** The payout of one cycle. */
export function Payout({ ajoId, cycle }: { ajoId: string; cycle: AjoCycle }) {
  const { remote, load } = useRead(ajoPayoutSource(ajoId, cycle.cycle));
  const { status } = cycle;
  return (
    <Card
      title={t.cycle(cycle.cycle, cycle.names)}
      action={<Badge tone={status === "PAID" ? "success" : "brand"}>{ajoWords.cycle[status]}</Badge>}
    >
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(payout) => <Detail payout={payout} />}
      </Loaded>
    </Card>
  );
}
