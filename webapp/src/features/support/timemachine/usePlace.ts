import { useCallback } from "react";
import { useSearchParams } from "react-router";
import type { ReplaySubject } from "@/api/types";

export type Clock = "recorded" | "effective";

/** Where somebody looks: whose history, at which event, on which clock, and beside which other event. */
export interface Place {
  subject?: ReplaySubject;
  at?: number;
  clock: Clock;
  than?: number;
}

const position = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

/** The address carries the place, so that a link does. */
export function usePlace(subjects: ReplaySubject[]) {
  const [query, setQuery] = useSearchParams();
  const place: Place = {
    subject: subjects.find((subject) => subject === query.get("subject")),
    at: position(query.get("at")),
    clock: query.get("clock") === "effective" ? "effective" : "recorded",
    than: position(query.get("than")),
  };
  const go = useCallback(
    (change: Partial<Place>) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(change)) {
            if (value === undefined) next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery],
  );
  return { place, go };
}
