import { useEffect, useRef, useState } from "react";
import type { AuditPayment } from "@/api/schema.gen";
import type { Queue } from "./useQueue";

/** So long a validation is offered to be taken back; the server allows it for a minute. */
const OFFERED_MS = 5000;

/** Payments that were validated together, and whether the server took it. */
interface Slip {
  payments: AuditPayment[];
  sent: Promise<boolean>;
}

/**
 * Takes back what was just validated, the latest first. A mark is sent at once, so that closing the page loses none;
 * taking it back is recorded as well.
 */
export function useUndo(queue: Queue) {
  const [slips, setSlips] = useState<Slip[]>([]);
  const [said, setSaid] = useState<"validated" | "undone">("validated");
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => () => timers.current.forEach(clearTimeout), []);
  const latest = useRef(queue);
  latest.current = queue;
  const forget = (slip: Slip) => setSlips((before) => before.filter((one) => one !== slip));
  return {
    slip: slips.at(-1),
    said,
    remember: (payments: AuditPayment[], sent: Promise<boolean>) => {
      const slip = { payments, sent };
      setSaid("validated");
      setSlips((before) => [...before, slip]);
      timers.current.add(setTimeout(() => forget(slip), OFFERED_MS));
      void sent.then((done) => !done && forget(slip));
    },
    undo: async () => {
      const slip = slips.at(-1);
      if (!slip) return;
      forget(slip);
      if (!(await slip.sent)) return;
      const marks = slip.payments.map(({ id }) => ({ id, mark: "UNREVIEWED" as const }));
      if (!(await latest.current.mark(marks, slip.payments))) return;
      setSaid("undone");
      latest.current.look(slip.payments[0]?.id);
      await latest.current.load();
    },
  };
}
