import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { approveAjoPayout } from "@/api/ajoActs";
import type { AjoPayout } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { useAjoPayments } from "@/store/useCommand";
import { Confirm } from "@/ui/Confirm";
import { PayButton } from "@/ui/offline/PayButton";
import { payoutTexts as t } from "../texts";

/** What an approver has to know before money leaves: how much, to whom and where, why, and who has approved. */
function Sheet({ payout }: { payout: AjoPayout }) {
  const { cycle, holders, destination, requestedBy, requestedAt, approvals, needed, needs, refusals } = payout;
  return (
    <Stack gap="3">
      {holders.map(({ userId, name, amount }) => (
        <chakra.p key={userId} color="fg" fontWeight="600">
          {t.goesTo(formatNaira(amount), name, destination === "BANK")}
        </chakra.p>
      ))}
      <p>{t.why(cycle)}</p>
      {requestedBy && requestedAt && <p>{t.asked(requestedBy, moment(requestedAt))}</p>}
      <p>{approvals.length > 0 ? t.approvedBy(approvals.join(", ")) : t.approvedByNone}</p>
      <p>
        {t.approvals(approvals.length, needed)}
        {needs && ` · ${t.needs(needs)}`}
      </p>
      {refusals.map(({ name, refusal, reason }) => (
        <p key={name + reason}>{t.refused(name, t.refusals[refusal].title, reason)}</p>
      ))}
      <p>{t.stepUp}</p>
    </Stack>
  );
}

/** Approves a payout after a second look. */
export function Approve({ payout }: { payout: AjoPayout }) {
  const { ajoId, cycle } = payout;
  const { act } = useAjoPayments();
  const [asking, setAsking] = useState(false);
  const approve = async () => {
    const asked = { by: payout.requestedBy, at: payout.requestedAt };
    return (
      (await act(`approvePayout:${ajoId}:${cycle}`, (key) => approveAjoPayout(key, ajoId, cycle), asked)) !== undefined
    );
  };
  return (
    <>
      <PayButton aria-label={t.approveIt(cycle)} onClick={() => setAsking(true)}>
        {t.approve}
      </PayButton>
      <Confirm
        open={asking}
        title={t.approveTitle(cycle)}
        yes={t.approve}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={approve}
      >
        <Sheet payout={payout} />
      </Confirm>
    </>
  );
}
