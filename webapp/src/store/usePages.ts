import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import type { Remote } from "./remote";
import { report } from "./report";

interface Page<P> {
  before?: string;
  value: P;
}

/** At most so many pages are read anew when something has changed. */
const ANEW = 4;
const STALE_PAUSE_MS = 250;
const STALE_TRIES = 6;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A page as of now, where the server lags behind what this browser has caused. */
async function fresh<P>(read: () => Promise<Answer<P>>): Promise<P> {
  for (let tries = 0; ; tries++) {
    const { value, stale } = await read();
    if (!stale || tries >= STALE_TRIES) return value;
    await pause(STALE_PAUSE_MS);
  }
}

/** The pages from one place on, read anew one after another; those behind are kept where they still join. */
async function readAnew<P extends { next?: string }>(
  read: (before?: string) => Promise<Answer<P>>,
  pages: Page<P>[],
  at: number,
): Promise<Page<P>[]> {
  const found = pages.slice(0, at);
  let before = pages[at]?.before;
  for (let place = at; place < Math.min(pages.length, at + ANEW); place++) {
    const value = await fresh(() => read(before));
    found.push({ before, value });
    before = value.next;
    if (!before) return found;
  }
  return pages[found.length]?.before === before ? [...found, ...pages.slice(found.length)] : found;
}

/**
 * A long list, page by page by keyset. `load(at)` reads it anew from a page on (the one in view), and what is on
 * screen stays meanwhile.
 */
export function usePages<P extends { next?: string }>(read: (before?: string) => Promise<Answer<P>>, key: string) {
  const [remote, setRemote] = useState<Remote<Page<P>[]>>({ state: "loading" });
  const [paging, setPaging] = useState(false);
  const reading = useRef(read);
  reading.current = read;
  const turn = useRef(0);
  const now = useRef<Page<P>[]>([]);
  const show = useCallback((pages: Page<P>[]) => {
    now.current = pages;
    setRemote({ state: "ready", value: pages });
  }, []);

  const load = useCallback(
    async (at = 0) => {
      turn.current += 1;
      const mine = turn.current;
      try {
        const pages = now.current;
        const next =
          pages.length > 0
            ? await readAnew(reading.current, pages, Math.min(at, pages.length - 1))
            : [{ value: await fresh(() => reading.current()) }];
        if (mine === turn.current) show(next);
      } catch (error) {
        if (mine !== turn.current || asFailure(error).expired) return;
        const failed = { state: "failed", text: failureText(error) } as const;
        setRemote((before) => (before.state === "ready" ? before : failed));
      }
    },
    [show],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list
  useEffect(() => {
    now.current = [];
    setRemote({ state: "loading" });
    void load();
    return () => {
      turn.current += 1;
    };
  }, [key, load]);

  const busy = useRef(false);
  const more = useCallback(async () => {
    const before = now.current.at(-1)?.value.next;
    if (busy.current || !before) return;
    busy.current = true;
    setPaging(true);
    const mine = turn.current;
    try {
      const { value } = await reading.current(before);
      if (mine === turn.current) show([...now.current, { before, value }]);
    } catch (error) {
      report(error);
    }
    busy.current = false;
    setPaging(false);
  }, [show]);

  /** Changes what is there without asking the server. */
  const change = useCallback(
    (each: (page: P) => P) => show(now.current.map(({ before, value }) => ({ before, value: each(value) }))),
    [show],
  );
  const pages = remote.state === "ready" ? remote.value.map(({ value }) => value) : [];
  return { remote, pages, load, more, paging, change, hasMore: Boolean(pages.at(-1)?.next) };
}
