import { useCallback, useState } from "react";
import { type AuditOf, getAudit, type Mark, markPayments } from "@/api/audit";
import type { AuditCoverage, AuditPayment } from "@/api/types";
import { attempt } from "@/store/attempt";
import { once } from "@/store/once";
import { groupSource, ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { usePages } from "@/store/useRead";

/** So many are marked at once. */
export const AT_ONCE = 500;

/** The payments to be looked at, with the one that is looked at now and those that are chosen. */
export function useQueue(groupId: string, of: AuditOf, wanted?: string) {
  const { remote, rows, first, load, more, paging, change } = usePages({
    ...ofGroup(groupId),
    key: `audit:${groupId}:${JSON.stringify(of)}`,
    rows: "payments",
    read: ({ before }) => getAudit(groupId, { ...of, before }),
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
      payments: page.payments.map(marked).filter(({ mark }) => !of.state || mark === of.state),
    }));
    setChosen((before) => new Set([...before].filter((id) => !now.has(id))));
  };

  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const mark = async (marks: Mark[]) => {
    const ids = marks.map(({ id }) => id);
    if (ids.length === 0) return false;
    setBusy((before) => new Set([...before, ...ids]));
    const deed = `mark:${marks.map((one) => `${one.id}:${one.mark}:${one.reason ?? ""}`).join(",")}`;
    const done = await attempt(once(deed, (key) => markPayments(key, groupId, marks)));
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
    if (!done) return false;
    settle(marks, done.value);
    // The group's page says how far the audit is.
    void useStore.getState().load(groupSource(groupId));
    return true;
  };

  return {
    remote,
    load,
    wanted,
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
