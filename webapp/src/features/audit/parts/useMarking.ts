import { useEffect, useRef, useState } from "react";
import type { AuditMark, AuditPayment } from "@/api/types";
import type { Queue } from "./useQueue";

type Word = Exclude<AuditMark, "UNREVIEWED">;

/** Marks that need a reason or a confirmation first. */
export interface Asking {
  word: Word;
  payments: AuditPayment[];
}

/** Whether a payment may be said that of now, by the one who looks at it. */
export const markable = ({ mayMark, mark }: AuditPayment, word: Word): boolean =>
  mayMark && mark === (word === "RESOLVED" ? "QUERIED" : "UNREVIEWED");

const TYPED = "input:not([type=checkbox]), textarea, select, [role=dialog] *";

/** Marks one payment or all that are chosen, by button and by key: J and K move, V, Q and R mark, X chooses. */
export function useMarking(queue: Queue) {
  const [asking, setAsking] = useState<Asking>();
  const say = (word: Word, payments: AuditPayment[]) => {
    const fit = payments.filter((payment) => markable(payment, word) && !queue.isBusy(payment.id));
    if (fit.length === 0) return;
    if (word !== "VALIDATED" || fit.length > 1) return setAsking({ word, payments: fit });
    void queue.mark(fit.map(({ id }) => ({ id, mark: word })));
    // Going down the list does not wait for the answer.
    if (fit[0] === queue.current) queue.go(queue.at + 1);
  };
  const keyed = () => (queue.chosen.length > 0 ? queue.chosen : queue.current ? [queue.current] : []);
  const press: Record<string, () => unknown> = {
    j: () => queue.go(queue.at + 1),
    k: () => queue.go(queue.at - 1),
    v: () => say("VALIDATED", keyed()),
    q: () => say("QUERIED", keyed()),
    r: () => say("RESOLVED", keyed()),
    x: () => queue.current?.mayMark && queue.toggle(queue.current.id),
  };
  const keys = useRef(press);
  keys.current = press;
  const quiet = asking !== undefined;
  useEffect(() => {
    if (quiet) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED)) return;
      const act = keys.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [quiet]);
  return {
    notYours: queue.words.notYours,
    asking,
    say,
    close: () => setAsking(undefined),
    confirm: (reason?: string) => {
      const { word, payments } = asking ?? { word: "VALIDATED" as const, payments: [] };
      return queue.mark(payments.map(({ id }) => ({ id, mark: word, ...(reason ? { reason } : {}) })));
    },
  };
}

export type Marking = ReturnType<typeof useMarking>;
