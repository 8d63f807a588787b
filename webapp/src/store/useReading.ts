import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import type { Remote } from "./remote";

const STALE_PAUSE_MS = 250;
const STALE_TRIES = 6;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Options {
  /** Another key is another thing to read. */
  key?: string;
  text?: (error: unknown) => string;
}

/** What one screen alone reads: kept with the screen. A later reading that fails leaves what is on screen. */
export function useReading<T>(read: () => Promise<Answer<T>>, { key = "", text = failureText }: Options = {}) {
  const [remote, setRemote] = useState<Remote<T>>({ state: "loading" });
  const reading = useRef({ read, text });
  reading.current = { read, text };
  /** Answers whether what it read is behind what was asked for; what nobody waits for any more is dropped. */
  const readOnce = useCallback(async (wanted: () => boolean) => {
    try {
      const { value, stale } = await reading.current.read();
      if (wanted()) setRemote({ state: "ready", value });
      return stale;
    } catch (error) {
      const missing = asFailure(error).status === 404;
      const failed = { state: "failed", text: reading.current.text(error), missing } as const;
      if (wanted()) setRemote((before) => (before.state === "ready" ? before : failed));
      return false;
    }
  }, []);
  /** One reading runs at a time: a wish that comes meanwhile is fulfilled right after. */
  const running = useRef<{ again: boolean }>(undefined);
  const load = useCallback(async () => {
    if (running.current) {
      running.current.again = true;
      return;
    }
    const mine = { again: true };
    running.current = mine;
    for (let tries = 0; running.current === mine && tries <= STALE_TRIES; tries++) {
      if (!mine.again) await pause(STALE_PAUSE_MS);
      if (mine.again) tries = 0;
      mine.again = false;
      const stale = await readOnce(() => running.current === mine);
      if (!stale && !mine.again) break;
    }
    if (running.current === mine) running.current = undefined;
  }, [readOnce]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another thing to read
  useEffect(() => {
    setRemote((before) => (before.state === "loading" ? before : { state: "loading" }));
    void load();
    return () => {
      running.current = undefined;
    };
  }, [key, load]);
  const put = useCallback((value: T) => setRemote({ state: "ready", value }), []);
  return { remote, load, put };
}
