import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
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

/** A page that did not come is asked for again after so long. */
const AGAIN_MS = 5000;

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
  now: () => Page<P>[],
  at: number,
): Promise<Page<P>[]> {
  const pages = now();
  const found = pages.slice(0, at);
  let before = pages[at]?.before;
  for (let place = at; place < Math.min(pages.length, at + ANEW); place++) {
    const value = await fresh(() => read(before));
    found.push({ before, value });
    before = value.next;
    if (!before) return found;
  }
  // A page may have come meanwhile.
  const behind = now().slice(found.length);
  return behind[0]?.before === before ? [...found, ...behind] : found;
}

/** The page after the last: one at a time, and one that did not come is not asked for again at once. */
function useMore<P extends { next?: string }>(
  reading: RefObject<(before?: string) => Promise<Answer<P>>>,
  now: RefObject<Page<P>[]>,
  show: (pages: Page<P>[]) => void,
) {
  const [paging, setPaging] = useState(false);
  /** The page that is asked for, and whether it was said already that none comes. */
  const asked = useRef<{ before: string }>(undefined);
  const told = useRef(false);
  const more = useCallback(async () => {
    const before = now.current.at(-1)?.value.next;
    if (asked.current || !before) return;
    const mine = { before };
    asked.current = mine;
    setPaging(true);
    try {
      const { value } = await reading.current(before);
      // Where the pages were read anew and end elsewhere now, another page follows them.
      const follows = now.current.at(-1)?.value.next === before;
      if (asked.current === mine && follows) show([...now.current, { before, value }]);
      told.current = false;
    } catch (error) {
      if (asked.current === mine && !told.current) report(error);
      told.current = true;
      // Lists ask by themselves as long as they are at their end.
      await pause(AGAIN_MS);
    }
    if (asked.current !== mine) return;
    asked.current = undefined;
    setPaging(false);
  }, [reading, now, show]);
  const drop = useCallback(() => {
    asked.current = undefined;
    setPaging(false);
  }, []);
  return { paging, more, drop };
}

/**
 * A long list, page by page by keyset. `load(at)` reads it anew from a page on (the one in view), and what is on
 * screen stays meanwhile.
 */
export function usePages<P extends { next?: string }>(read: (before?: string) => Promise<Answer<P>>, key: string) {
  const [remote, setRemote] = useState<Remote<Page<P>[]>>({ state: "loading" });
  const reading = useRef(read);
  reading.current = read;
  const now = useRef<Page<P>[]>([]);
  const show = useCallback((pages: Page<P>[]) => {
    now.current = pages;
    setRemote({ state: "ready", value: pages });
  }, []);

  /** One reading runs at a time: a wish that comes meanwhile is fulfilled right after. */
  const running = useRef<{ next: number | undefined }>(undefined);
  const load = useCallback(
    async (at = 0) => {
      if (running.current) {
        running.current.next = Math.min(at, running.current.next ?? at);
        return;
      }
      const mine: { next: number | undefined } = { next: at };
      running.current = mine;
      while (running.current === mine && mine.next !== undefined) {
        const from = Math.min(mine.next, Math.max(0, now.current.length - 1));
        mine.next = undefined;
        try {
          const pages = await (now.current.length > 0
            ? readAnew(reading.current, () => now.current, from)
            : fresh(() => reading.current()).then((value) => [{ value }]));
          if (running.current === mine) show(pages);
        } catch (error) {
          if (running.current !== mine || asFailure(error).expired) break;
          const failed = { state: "failed", text: failureText(error) } as const;
          setRemote((before) => (before.state === "ready" ? before : failed));
        }
      }
      if (running.current === mine) running.current = undefined;
    },
    [show],
  );

  const { paging, more, drop } = useMore(reading, now, show);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list
  useEffect(() => {
    now.current = [];
    drop();
    setRemote({ state: "loading" });
    void load();
    return () => {
      running.current = undefined;
    };
  }, [key, load, drop]);

  /** Changes what is there without asking the server. */
  const change = useCallback(
    (each: (page: P) => P) => show(now.current.map(({ before, value }) => ({ before, value: each(value) }))),
    [show],
  );
  const pages = remote.state === "ready" ? remote.value.map(({ value }) => value) : [];
  return { remote, pages, load, more, paging, change, hasMore: Boolean(pages.at(-1)?.next) };
}
