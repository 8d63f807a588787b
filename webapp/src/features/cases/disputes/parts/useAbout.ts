import { useSearchParams } from "react-router";
import type { DisputeKind, OpenDisputeRequest } from "@/api/schema.gen";
import { lagosDay, shortDay } from "@/lib/dates";
import { ajoSource } from "@/store/ajoSources";
import { requestSource } from "@/store/requestSources";
import { groupSource, movementSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { newTexts as t } from "../texts";

type Subject = "movement" | "ajo" | "group" | "request" | "nothing";

/** What can be wrong with it, what is most likely first. */
const kinds: Record<Subject, DisputeKind[]> = {
  movement: ["NOT_ME", "TWICE", "WRONG_AMOUNT", "WRONG_MONTH", "NOT_CREDITED", "NOT_PAID_OUT", "FINED_IN_TIME"],
  ajo: ["TURN", "NOT_PAID_OUT", "FINED_IN_TIME", "NOT_CREDITED", "WRONG_AMOUNT", "TWICE"],
  group: ["NOT_CREDITED", "WRONG_MONTH", "FINED_IN_TIME", "TWICE", "WRONG_AMOUNT", "NOT_PAID_OUT"],
  request: ["WRONG_AMOUNT", "NOT_ME", "TWICE"],
  nothing: ["NOT_CREDITED", "NOT_ME", "NOT_PAID_OUT", "TWICE", "WRONG_AMOUNT", "WRONG_MONTH", "FINED_IN_TIME"],
};

export interface About {
  subject: Subject;
  kinds: DisputeKind[];
  /** How the call names it. */
  form: Pick<
    OpenDisputeRequest,
    "movementId" | "groupId" | "subAccountId" | "period" | "ajoId" | "cycle" | "requestId"
  >;
  /** What it is called, once that is known. */
  label?: string;
  /** Of a payment that is on screen. */
  amount?: number;
  day?: string;
  /** The most that can be held of a payout that waits. */
  holdable?: number;
}

const positive = (text: string | null) => (text && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined);

/** Reads what a dispute is about from the address. */
export function useAbout(): About {
  const [query] = useSearchParams();
  const [movementId, ajoId, groupId, requestId] = ["movement", "ajo", "group", "request"].map(
    (name) => query.get(name) || undefined,
  );
  const cycle = positive(query.get("cycle"));
  const [subAccountId, period] = ["sub", "period"].map((name) => query.get(name) || undefined);
  const movement = useRead(movementId ? movementSource(movementId) : undefined).remote;
  const ajo = useRead(ajoId ? ajoSource(ajoId) : undefined).remote;
  const request = useRead(requestId ? requestSource(requestId) : undefined).remote;
  const group = useRead(groupId ? groupSource(groupId) : undefined).remote;
  if (movementId) {
    const found = movement.state === "ready" ? movement.value.movement : undefined;
    const { title, amount, date } = found ?? {};
    const label = title && date && `${title}, ${shortDay(date)}`;
    const form = { movementId };
    return { subject: "movement", kinds: kinds.movement, form, label, amount, day: date && lagosDay(date) };
  }
  if (requestId) {
    const found = request.state === "ready" ? request.value : undefined;
    const label = found && t.payout(found.groupName, found.reason);
    return { subject: "request", kinds: kinds.request, form: { requestId }, label, holdable: found?.holdable };
  }
  if (ajoId) {
    const name = ajo.state === "ready" ? ajo.value.name : undefined;
    const label = name && cycle ? t.cycle(name, cycle) : name;
    return { subject: "ajo", kinds: kinds.ajo, form: { ajoId, cycle }, label };
  }
  if (groupId) {
    const name = group.state === "ready" ? group.value.name : undefined;
    const label = name && period ? t.due(name, shortDay(period)) : name;
    return { subject: "group", kinds: kinds.group, form: { groupId, subAccountId, period }, label };
  }
  return { subject: "nothing", kinds: kinds.nothing, form: {} };
}

/** Whether the money is looked for before anything is opened. */
export const searchesFirst = ({ subject }: About, kind: DisputeKind) =>
  kind === "NOT_CREDITED" || (subject === "nothing" && kind !== "NOT_ME");
