import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import type { Remote } from "./remote";

/** What one screen alone reads: kept with the screen, read again for another `key`. */
export function useReading<T>(read: () => Promise<Answer<T>>, key = "") {
  const [remote, setRemote] = useState<Remote<T>>({ state: "loading" });
  const reading = useRef(read);
  reading.current = read;
  const turn = useRef(0);
  const load = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const { value } = await reading.current();
      if (mine === turn.current) setRemote({ state: "ready", value });
    } catch (error) {
      const missing = asFailure(error).status === 404;
      if (mine === turn.current) setRemote({ state: "failed", text: failureText(error), missing });
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another thing to read
  useEffect(() => {
    void load();
    return () => {
      turn.current += 1;
    };
  }, [key, load]);
  const put = useCallback((value: T) => setRemote({ state: "ready", value }), []);
  return { remote, load, put };
}
