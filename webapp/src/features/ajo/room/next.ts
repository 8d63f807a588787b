import type { Ajo, AjoCycle, AjoDebt } from "@/api/schema.gen";

/** The first thing that a member has to do in an ajo. "LATER" is all that can wait: approvals, votes, invitations. */
export type Next =
  | { kind: "REVEAL" | "TERMS" | "ORDER" | "BID" | "DUE" | "DEPOSIT" | "LATER" }
  | { kind: "DEBT"; debt: AjoDebt }
  | { kind: "COLLECT"; cycle: AjoCycle };

const WAITING: AjoCycle["status"][] = ["READY", "PAYOUT_REQUESTED", "ON_HOLD"];

/** The pots that are complete and not paid out yet. */
export const waitingPots = ({ cycles }: Pick<Ajo, "cycles">) => cycles.filter(({ status }) => WAITING.includes(status));

/** What a member has to do first: what has a deadline of hours, then late money, then a pot to collect, then dues. */
export function nextOf({ me, status, cycles, debts, paymentDto, currentAjoCyle }: Ajo): Next {
  if (me.mustReveal) return { kind: "REVEAL" };
  if (!me.acceptedTerms) return { kind: "TERMS" };
  if (me.mustAcceptOrder) return { kind: "ORDER" };
  if (me.mayBidReveal && (status === "ACTIVE" || status === "PAUSED")) return { kind: "BID" };
  const due = paymentDto && !paymentDto.isPaid;
  if (due && currentAjoCyle?.status === "GRACE") return { kind: "DUE" };
  const debt = debts.find(({ iOwe, left }) => iOwe && left > 0);
  if (debt) return { kind: "DEBT", debt };
  const cycle = cycles.find((one) => one.status === "READY" && one.isMine);
  if (cycle) return { kind: "COLLECT", cycle };
  if (me.depositDue > 0) return { kind: "DEPOSIT" };
  return { kind: due ? "DUE" : "LATER" };
}
