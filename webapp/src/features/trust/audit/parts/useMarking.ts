import { useEffect, useRef, useState } from "react";
import type { AuditMark, AuditPayment } from "@/api/schema.gen";
import type { Queue } from "./useQueue";
import { useUndo } from "./useUndo";

type Word = Exclude<AuditMark, "UNREVIEWED">;

/** Marks that need a reason or a confirmation first. */
export interface Asking {
  word: Word;
  payments: AuditPayment[];
}

const after: Record<Word, AuditMark[]> = {
  VALIDATED: ["UNREVIEWED"],
  QUERIED: ["UNREVIEWED", "VALIDATED"],
  RESOLVED: ["QUERIED"],
};

/** Whether a payment may be said that of now, by the one who looks at it. What is checked again is validated already. */
export const markable = ({ mayMark, mark, mayRecheck }: AuditPayment, word: Word): boolean =>
  mayMark && (after[word].includes(mark) || (word === "VALIDATED" && !!mayRecheck));

const TYPED = "input:not([type=checkbox]), textarea, select, [role=dialog] *";

/** What a key does on the desk; with Shift, where it differs. */
type Press = (shift: boolean) => unknown;

/** Has keys pressed on the page do something, but for those that are typed into a field or a dialog. */
function useKeys(press: Record<string, Press>, quiet: boolean) {
  const keys = useRef(press);
  keys.current = press;
  useEffect(() => {
    if (quiet) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED)) return;
      const act = keys.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act(event.shiftKey);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [quiet]);
}

/** Goes to the box to ask more in, where the payment that is looked at has one. */
const toQuestion: Press = () => document.querySelector<HTMLElement>("[data-question] textarea")?.focus();

/** Marks one payment or all that are chosen, by button and by key. */
export function useMarking(queue: Queue) {
  const [asking, setAsking] = useState<Asking>();
  const [help, setHelp] = useState(false);
  const undoing = useUndo(queue);
  const send = (word: Word, payments: AuditPayment[], reason?: string) => {
    const sent = queue.mark(payments.map(({ id }) => ({ id, mark: word, ...(reason ? { reason } : {}) })));
    // A query is told to who paid and a resolution has its reason: neither is a slip of one key. The owner's agreement
    // is no mark of its own.
    if (word === "VALIDATED" && !payments.some(({ mayRecheck }) => mayRecheck)) undoing.remember(payments, sent);
    return sent;
  };
  const say = (word: Word, payments: AuditPayment[]) => {
    const fit = payments.filter((payment) => markable(payment, word) && !queue.isBusy(payment.id));
    if (fit.length === 0) return;
    if (word !== "VALIDATED" || fit.length > 1) return setAsking({ word, payments: fit });
    void send(word, fit);
    // Going down the list does not wait for the answer.
    if (fit[0] === queue.current) queue.go(queue.at + 1);
  };
  const keyed = () => (queue.chosen.length > 0 ? queue.chosen : queue.current ? [queue.current] : []);
  const choose: Press = (shift) => {
    const { current } = queue;
    if (current?.mayMark) (shift ? queue.range : queue.toggle)(current.id);
  };
  const press: Record<string, Press> = {
    j: () => queue.go(queue.at + 1),
    k: () => queue.go(queue.at - 1),
    v: () => say("VALIDATED", keyed()),
    q: () => say("QUERIED", keyed()),
    r: () => say("RESOLVED", keyed()),
    a: toQuestion,
    x: choose,
    u: undoing.undo,
    "?": () => setHelp(true),
  };
  useKeys(press, asking !== undefined || help);
  return {
    notYours: queue.words.notYours,
    asking,
    say,
    close: () => setAsking(undefined),
    confirm: (reason?: string) => {
      const { word, payments } = asking ?? { word: "VALIDATED" as const, payments: [] };
      return send(word, payments, reason);
    },
    undoing,
    help,
    setHelp,
  };
}

export type Marking = ReturnType<typeof useMarking>;
