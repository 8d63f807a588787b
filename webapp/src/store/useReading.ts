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
  const turn = useRef(0);
  const load = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      for (let tries = 0; mine === turn.current; tries++) {
        const { value, stale } = await reading.current.read();
        if (mine === turn.current) setRemote({ state: "ready", value });
        if (!stale || tries >= STALE_TRIES) return;
        await pause(STALE_PAUSE_MS);
      }
    } catch (error) {
      if (mine !== turn.current) return;
      const missing = asFailure(error).status === 404;
      const failed = { state: "failed", text: reading.current.text(error), missing } as const;
      setRemote((before) => (before.state === "ready" ? before : failed));
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another thing to read
  useEffect(() => {
    setRemote((before) => (before.state === "loading" ? before : { state: "loading" }));
    void load();
    return () => {
      turn.current += 1;
    };
  }, [key, load]);
  const put = useCallback((value: T) => setRemote({ state: "ready", value }), []);
  return { remote, load, put };
}
