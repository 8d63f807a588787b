import { useState } from "react";
import type { AuditPayment } from "@/api/schema.gen";

/** So many are marked at once. */
const AT_ONCE = 500;

/** Which payments of a list are chosen: one by one, or from the one chosen last to another. */
export function useChoosing(payments: AuditPayment[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const choose = (next: Iterable<string>) => setIds(new Set([...next].slice(0, AT_ONCE)));
  return {
    chosen: payments.filter(({ id }) => ids.has(id)),
    isChosen: (id: string) => ids.has(id),
    choose,
    toggle: (id: string) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      choose(next);
      setLast(id);
    },
    /** Chooses all that one may mark from the payment chosen last to this one, both included. */
    range: (id: string) => {
      const at = (of: string | undefined) => payments.findIndex((payment) => payment.id === of);
      const [to, found] = [at(id), at(last)];
      const from = found < 0 ? to : found;
      const between = payments.slice(Math.min(from, to), Math.max(from, to) + 1).filter(({ mayMark }) => mayMark);
      choose([...ids, ...between.map((payment) => payment.id)]);
      setLast(id);
    },
    forget: (gone: string[]) => setIds((before) => new Set([...before].filter((id) => !gone.includes(id)))),
  };
}
