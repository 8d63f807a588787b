import { useMemo, useRef, useState } from "react";
import type { AuditState, Mark, markPayments } from "@/api/audit";
import type { Answer } from "@/api/client";
import type { AuditCoverage, AuditPayment, AuditPlace } from "@/api/schema.gen";
import { sendCommand } from "@/store/command";
import { told } from "@/store/reportMoney";
import type { Source } from "@/store/source";
import { usePages } from "@/store/useRead";
import { useChoosing } from "./useChoosing";

/** A page of payments; a desk across groups has no coverage of its own. */
export interface Audit {
  payments: AuditPayment[];
  coverage?: AuditCoverage;
  next?: string;
  /** Up to where in the ledger it has read. */
  position?: number;
  /** How many payments wait for the owner to check them again. */
  rechecks?: number;
}

/** Payments that are audited: of a group, of an ajo, or of all that somebody is the validator of. */
export interface Audited<T extends Audit = Audit> extends Pick<Source<unknown>, "area" | "key"> {
  topics: readonly string[];
  state?: AuditState;
  read: (before?: string) => Promise<Answer<T>>;
  /** Marks payments of one place: all of them, or none. */
  mark: (key: string, marks: Mark[], seen: number | undefined, place?: AuditPlace) => ReturnType<typeof markPayments>;
  /** Has what shows how far the audit is read again. */
  marked?: () => void;
  /** What the list is called, and who marks what one may not. */
  words: { list: string; notYours: string };
}

/** Marks in batches of one group or ajo each. */
function byPlace(marks: Mark[], payments: AuditPayment[]) {
  const places = new Map(payments.map(({ id, place }) => [id, place]));
  const batches = new Map<string | undefined, Mark[]>();
  for (const one of marks) {
    const place = places.get(one.id)?.id;
    batches.set(place, [...(batches.get(place) ?? []), one]);
  }
  return { places, batches };
}

function isIn(state: AuditState, { mark, answered, recheck }: AuditPayment) {
  if (state === "RECHECK") return !!recheck;
  return state === "ANSWERED" ? answered : mark === state;
}

/** A payment as it is once it is marked. What the owner agreed to is not theirs to mark any more. */
function marked(payment: AuditPayment, mark: Mark | undefined): AuditPayment {
  if (!mark) return payment;
  const mayMark = payment.mayMark && !(payment.mayRecheck && mark.mark === "VALIDATED");
  const reason = mark.reason ?? payment.reason;
  return { ...payment, mark: mark.mark, answered: false, recheck: undefined, mayRecheck: undefined, mayMark, reason };
}

/** Up to where in the ledger the pages have read: the one that read farthest. */
const readTo = (pages: Audit[]) => Math.max(0, ...pages.map(({ position }) => position ?? 0)) || undefined;

function useLatest<T>(value: T) {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/** The payments to be looked at, with the one that is looked at now and those that are chosen. */
export function useQueue<T extends Audit>(audited: Audited<T>, wanted?: string) {
  const { remote, pages, first, load, more, paging, change } = usePages({
    area: audited.area,
    topics: audited.topics,
    key: audited.key,
    rows: "payments",
    read: ({ before }) => audited.read(before),
  });
  const payments = useMemo(() => pages.flatMap((page) => page.payments), [pages]);
  // The payment looked at is known by its id: those above it leave the list as they are marked.
  const [looked, setLooked] = useState<{ id?: string; at: number }>({ id: wanted, at: 0 });
  const found = payments.findIndex(({ id }) => id === looked.id);
  const at = found >= 0 ? found : Math.max(0, Math.min(looked.at, payments.length - 1));
  const go = (place: number) => {
    const next = Math.max(0, Math.min(place, payments.length - 1));
    setLooked({ id: payments[next]?.id, at: next });
  };
  const { chosen, forget, ...choosing } = useChoosing(payments);

  const shown = useLatest(audited.state); // Another list may be shown by the time that a mark is answered.
  /** Shows the marks at once; a payment leaves a list of another state. */
  const settle = (marks: Mark[], coverage: AuditCoverage) => {
    const now = new Map(marks.map((mark) => [mark.id, mark]));
    const checked = payments.filter(({ id, recheck }) => recheck && now.has(id)).length;
    change((page) => ({
      ...page,
      ...(page.rechecks === undefined ? {} : { rechecks: page.rechecks - checked }),
      ...(page.coverage ? { coverage } : {}),
      payments: page.payments
        .map((one) => marked(one, now.get(one.id)))
        .filter((payment) => !shown.current || isIn(shown.current, payment)),
    }));
    forget(marks.map(({ id }) => id));
  };

  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const send = async (marks: Mark[], place?: AuditPlace) => {
    const ids = marks.map(({ id }) => id);
    setBusy((before) => new Set([...before, ...ids]));
    const command = { name: `mark:${ids.join()}`, payload: marks, free: true };
    const done = await told(sendCommand(command, (key) => audited.mark(key, marks, readTo(pages), place)));
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
    if (done) settle(marks, done.value);
    if (done) audited.marked?.();
    return !!done;
  };
  /** Marks payments, place by place. What could not be marked stays as it was, and a toast says why. */
  const mark = async (marks: Mark[], of = payments) => {
    if (marks.length === 0) return false;
    const { places, batches } = byPlace(marks, of);
    let all = true;
    for (const batch of batches.values()) {
      all = (await send(batch, places.get(batch[0]?.id ?? ""))) && all;
    }
    return all;
  };

  return {
    remote,
    load,
    wanted,
    words: audited.words,
    payments,
    first,
    coverage: first?.coverage,
    rechecks: first?.rechecks ?? 0,
    more,
    paging,
    at,
    current: payments[at],
    go,
    /** Looks at a payment once it is on the list again. */
    look: (id: string | undefined) => setLooked({ id, at }),
    chosen,
    ...choosing,
    /** Whether it is being marked. */
    isBusy: (id: string) => busy.has(id),
    mark,
  };
}

export type Queue = ReturnType<typeof useQueue>;
