import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import { type Filters, getMovements } from "@/api/records";
import type { Movement } from "@/api/types";
import type { Remote } from "@/store/remote";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { joinRows, type Row, rowsOf } from "./rows";

interface Found {
  rows: Row[];
  /** Where the next page begins; absent at the end. */
  next?: string;
}

/** A page that leads to itself is the last. */
const onward = (next: string | undefined, before: string) => (next === before ? undefined : next);

/**
 * The movements that the filters let through, page after page by keyset. What comes in meanwhile is laid on top; what
 * was read stays where it is.
 */
export function useMovements(filters: Filters) {
  const key = JSON.stringify(filters);
  const [found, setFound] = useState<Remote<Found>>({ state: "loading" });
  const [paging, setPaging] = useState(false);
  const known = useRef(new Set<string>());
  const wanted = useRef(filters);
  wanted.current = filters;
  const turn = useRef(0);

  /** The newest page; under the same filters it is joined to what is there, wherever they meet. */
  const read = useCallback(async (fresh: boolean) => {
    const mine = turn.current;
    try {
      const { value } = await getMovements(wanted.current);
      if (mine !== turn.current) return;
      const added = value.transactions.filter(({ id }) => !known.current.has(id));
      const meets = !fresh && added.length < value.transactions.length;
      if (!meets) known.current = new Set();
      for (const { id } of value.transactions) known.current.add(id);
      setFound((before) => {
        const first = { rows: rowsOf(meets ? added : value.transactions), next: value.next };
        if (!meets || before.state !== "ready") return { state: "ready", value: first };
        return { state: "ready", value: { rows: joinRows(first.rows, before.value.rows), next: before.value.next } };
      });
    } catch (error) {
      if (mine !== turn.current || asFailure(error).expired) return;
      const failed = { state: "failed", text: failureText(error) } as const;
      setFound((before) => (before.state === "ready" ? before : failed));
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another list
  useEffect(() => {
    setFound({ state: "loading" });
    void read(true);
    return () => {
      turn.current += 1;
    };
  }, [key, read]);

  const tick = useStore((state) => state.activityTick);
  const seen = useRef(tick);
  useEffect(() => {
    if (seen.current === tick) return;
    seen.current = tick;
    void read(false);
  }, [tick, read]);

  const busy = useRef(false);
  const more = useCallback(async (before: string) => {
    if (busy.current) return;
    busy.current = true;
    setPaging(true);
    const mine = turn.current;
    try {
      const { value } = await getMovements(wanted.current, before);
      if (mine === turn.current) {
        const fresh: Movement[] = value.transactions.filter(({ id }) => !known.current.has(id));
        for (const { id } of fresh) known.current.add(id);
        setFound((now) =>
          now.state === "ready"
            ? {
                state: "ready",
                value: { rows: joinRows(now.value.rows, rowsOf(fresh)), next: onward(value.next, before) },
              }
            : now,
        );
      }
    } catch (error) {
      report(error);
    }
    busy.current = false;
    setPaging(false);
  }, []);

  return { found, paging, more, retry: () => void read(true) };
}
