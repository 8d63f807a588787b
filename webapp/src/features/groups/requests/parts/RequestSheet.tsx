import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import type { Liquidation } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { requestSource } from "@/store/requestSources";
import { useRead } from "@/store/useRead";
import { Badge, Facts } from "@/ui/bits";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { Charges } from "@/ui/money/PayoutReview";
import { Sheet } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { Story } from "@/ui/Story";
import { fundTexts, liquidationTexts as t } from "../texts";
import { Decide } from "./Decide";
import { tones } from "./RequestList";

const ASK_MS = 5000;

const atTheBank = ({ status }: Liquidation) => status === "APPROVED" || status === "PAYOUT_PENDING";
const undecided = ({ status }: Liquidation) => status === "REQUESTED" || status === "VALIDATED" || status === "ON_HOLD";
/** When a payment of the group is paid at the earliest, while that is still to come. */
const noticeUntil = ({ status, payableFrom }: Liquidation) =>
  status === "REQUESTED" || status === "VALIDATED" || status === "APPROVED" ? payableFrom : undefined;

function About({ request }: { request: Liquidation }) {
  const { accountName, bankName, accountNumber, requestedByName, validatedByName, providerRef, datePaid } = request;
  const rows: [string, string | undefined][] = [
    [t.facts.reason, request.reason],
    [t.facts.from, request.subAccountName],
    [t.facts.to, accountName],
    ["", bankName && accountNumber && t.account(bankName, accountNumber)],
    [t.facts.asked, `${requestedByName}, ${moment(request.dateCreated)}`],
    [t.facts.validated, validatedByName],
    [t.facts.approvals, t.approvals(request.approvals, request.approvalsNeeded)],
    [t.facts.deciders, request.deciders && t.deciders(request.deciders.validators, request.deciders.approvers)],
    [t.facts.paid, datePaid && moment(datePaid)],
    [t.facts.session, providerRef],
  ];
  return <Facts rows={rows.filter((row): row is [string, string] => Boolean(row[1]))} />;
}

function Detail({ request, put }: { request: Liquidation; put: (next: Liquidation) => void }) {
  const { status, net, kind, expires, endReason, story } = request;
  const until = noticeUntil(request);
  return (
    <Stack gap="5" pb="4">
      <div>
        <Flex gap="2" align="center" wrap="wrap" mb="2">
          <Badge tone={tones[status]}>{t.states[status]}</Badge>
          <chakra.span textStyle="small" color="fg.muted">
            {t.kinds[kind]}
          </chakra.span>
        </Flex>
        <chakra.p textStyle="hero">{request.amountHidden ? t.hidden : <Naira amount={net} />}</chakra.p>
        <chakra.div role="status" mt="2" data-request-status={status}>
          <p>{status === "APPROVED" && until ? t.noticed(moment(until)) : t.stateText[status]}</p>
          {until && status !== "APPROVED" && <p>{t.noticed(moment(until))}</p>}
          {request.disputedUntil && (
            <chakra.p data-disputed>
              {t.disputed(
                request.disputed === undefined ? undefined : formatNaira(request.disputed),
                moment(request.disputedUntil),
              )}
            </chakra.p>
          )}
          {request.ownAccount && <p>{t.ownAccount}</p>}
          {request.objections > 0 && <p>{t.objections(request.objections, request.objectionsNeeded)}</p>}
          {endReason && (
            <chakra.p color="fg.muted">
              {t.facts.why}: {endReason}
            </chakra.p>
          )}
          {undecided(request) && (
            <chakra.p textStyle="small" color="fg.muted">
              {t.expires(shortDay(expires))}
            </chakra.p>
          )}
        </chakra.div>
      </div>
      <Decide request={request} onDone={put} />
      <About request={request} />
      {!request.amountHidden && <Charges figures={request} words={fundTexts} />}
      <div>
        <chakra.h3 textStyle="section" mb="4">
          {t.story}
        </chakra.h3>
        <Story story={story} />
      </div>
    </Stack>
  );
}

function Inside({ groupId, id }: { groupId: string; id: string }) {
  const { remote, load, put } = useRead(requestSource(id, groupId));
  const waiting = remote.state === "ready" && atTheBank(remote.value);
  // The live stream tells at once; where it is down, asking now and then does.
  useEffect(() => {
    if (!waiting) return;
    const asking = setInterval(() => document.visibilityState === "visible" && void load(), ASK_MS);
    return () => clearInterval(asking);
  }, [waiting, load]);
  if (remote.state === "failed" && remote.missing) return <p>{t.missing}</p>;
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
      {(request) => <Detail request={request} put={put} />}
    </Loaded>
  );
}

/** One request with its story, and what the caller may do with it; it can be left and come back to. */
export function RequestSheet({ groupId, id, onClose }: { groupId: string; id: string; onClose: () => void }) {
  return (
    <Sheet open={id !== ""} onClose={onClose} title={t.one} placement="end">
      {id && <Inside groupId={groupId} id={id} />}
    </Sheet>
  );
}
