import { useCallback, useState } from "react";
import type { getAudit, Mark, markPayments } from "@/api/audit";
import type { AuditCoverage, AuditMark, AuditPayment } from "@/api/types";
import { attempt } from "@/store/attempt";
import { once } from "@/store/once";
import type { Source } from "@/store/source";
import { usePages } from "@/store/useRead";

/** So many are marked at once. */
export const AT_ONCE = 500;

/** Payments of a group or an ajo that are audited. */
export interface Audited extends Pick<Source<unknown>, "area" | "key"> {
  topics: readonly string[];
  state?: AuditMark;
  read: (before?: string) => ReturnType<typeof getAudit>;
  mark: (key: string, marks: Mark[]) => ReturnType<typeof markPayments>;
  /** Has what shows how far the audit is read again. */
  marked?: () => void;
  /** What the list is called, and who marks what one may not. */
  words: { list: string; notYours: string };
}

/** The payments to be looked at, with the one that is looked at now and those that are chosen. */
export function useQueue(audited: Audited, wanted?: string) {
  const { remote, rows, first, load, more, paging, change } = usePages({
    area: audited.area,
    topics: audited.topics,
    key: audited.key,
    rows: "payments",
    read: ({ before }) => audited.read(before),
  });
  const payments = rows;
  // The payment looked at is known by its id: those above it leave the list as they are marked.
  const [looked, setLooked] = useState<{ id?: string; at: number }>({ id: wanted, at: 0 });
  const found = payments.findIndex(({ id }) => id === looked.id);
  const at = found >= 0 ? found : Math.max(0, Math.min(looked.at, payments.length - 1));
  const go = (place: number) => {
    const next = Math.max(0, Math.min(place, payments.length - 1));
    setLooked({ id: payments[next]?.id, at: next });
  };
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(id) && next.size < AT_ONCE) next.add(id);
        return next;
      }),
    [],
  );
  const choose = (ids: string[]) => setChosen(new Set(ids.slice(0, AT_ONCE)));

  /** Shows the marks at once; a payment leaves a list of another state. */
  const settle = (marks: Mark[], coverage: AuditCoverage) => {
    const now = new Map(marks.map((mark) => [mark.id, mark]));
    const marked = (payment: AuditPayment): AuditPayment => {
      const mark = now.get(payment.id);
      return mark ? { ...payment, mark: mark.mark, reason: mark.reason ?? payment.reason } : payment;
    };
    change((page) => ({
      ...page,
      coverage,
      payments: page.payments.map(marked).filter(({ mark }) => !audited.state || mark === audited.state),
    }));
    setChosen((before) => new Set([...before].filter((id) => !now.has(id))));
  };

  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const mark = async (marks: Mark[]) => {
    const ids = marks.map(({ id }) => id);
    if (ids.length === 0) return false;
    setBusy((before) => new Set([...before, ...ids]));
    const deed = `mark:${marks.map((one) => `${one.id}:${one.mark}:${one.reason ?? ""}`).join(",")}`;
    const done = await attempt(once(deed, (key) => audited.mark(key, marks)));
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
    if (!done) return false;
    settle(marks, done.value);
    audited.marked?.();
    return true;
  };

  return {
    remote,
    load,
    wanted,
    words: audited.words,
    payments,
    coverage: first?.coverage,
    more,
    paging,
    at,
    current: payments[at],
    go,
    chosen: payments.filter(({ id }) => chosen.has(id)),
    isChosen: (id: string) => chosen.has(id),
    toggle,
    choose,
    /** Whether it is being marked. */
    isBusy: (id: string) => busy.has(id),
    mark,
  };
}

export type Queue = ReturnType<typeof useQueue>;
