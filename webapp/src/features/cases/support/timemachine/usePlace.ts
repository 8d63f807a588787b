import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { ReplaySubject } from "@/api/schema.gen";

export type Clock = "recorded" | "effective";

/** Where somebody looks: whose history, at which event, on which clock, and beside which other event. */
export interface Place {
  subject?: ReplaySubject;
  at?: number;
  clock: Clock;
  than?: number;
}

const position = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

const read = (query: URLSearchParams, subjects: ReplaySubject[]): Place => ({
  subject: subjects.find((subject) => subject === query.get("subject")),
  at: position(query.get("at")),
  clock: query.get("clock") === "effective" ? "effective" : "recorded",
  than: position(query.get("than")),
});

/** What the address says of a place; figures as recorded need no word. */
function write(before: URLSearchParams, { subject, at, clock, than }: Place): URLSearchParams {
  const next = new URLSearchParams(before);
  const said = { subject, at, clock: clock === "effective" ? clock : undefined, than };
  for (const [name, value] of Object.entries(said)) {
    if (value === undefined) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/** The address begins the place and then follows it, so that a link carries it. */
export function usePlace(subjects: ReplaySubject[]) {
  const [query, setQuery] = useSearchParams();
  const [place, setPlace] = useState(() => read(query, subjects));
  const address = useRef({ query, setQuery });
  address.current = { query, setQuery };
  useEffect(() => {
    const next = write(address.current.query, place);
    if (next.toString() === address.current.query.toString()) return;
    address.current.setQuery(next, { replace: true, preventScrollReset: true });
  }, [place]);
  const go = useCallback((change: Partial<Place>) => setPlace((before) => ({ ...before, ...change })), []);
  return { place, go };
}
