import type { ReplaySubject } from "@/api/schema.gen";
import type { Moment } from "@/api/support";
import { replayCase } from "@/api/support";
import { useRead } from "@/store/useRead";

/** What the ledger held of a subject at a moment; nothing is read without one. */
export function useReplay(id: string, subject: ReplaySubject, moment: Moment | undefined) {
  return useRead(
    moment && {
      key: `replay:${id}:${subject}:${JSON.stringify(moment)}`,
      area: "support",
      read: () => replayCase(id, subject, moment),
    },
  );
}
