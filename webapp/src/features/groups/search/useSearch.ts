import { useEffect, useState } from "react";
import { failureText } from "@/api/failure";
import { searchGroups } from "@/api/savings";
import type { GroupRow } from "@/api/schema.gen";

const TYPING_PAUSE_MS = 180;

export type Search =
  | { state: "untyped" }
  | { state: "none" }
  | { state: "looking" }
  | { state: "found"; rows: GroupRow[] }
  | { state: "failed"; text: string };

/** Searches for the typed words; an answer that comes after newer words is dropped. */
export function useSearch(words: string, open: boolean): Search {
  const [search, setSearch] = useState<Search>({ state: "untyped" });
  const sought = words.trim();
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const put = (next: Search) => {
      if (!stop.signal.aborted) setSearch(next);
    };
    const look = async () => {
      try {
        const { value: rows } = await searchGroups(sought, stop.signal);
        if (sought === "") put({ state: rows.length === 0 ? "none" : "untyped" });
        else put({ state: "found", rows });
      } catch (error) {
        put(sought === "" ? { state: "untyped" } : { state: "failed", text: failureText(error) });
      }
    };
    setSearch((before) =>
      sought === "" ? { state: "untyped" } : before.state === "found" ? before : { state: "looking" },
    );
    const timer = setTimeout(() => void look(), sought === "" ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sought, open]);
  return search;
}
