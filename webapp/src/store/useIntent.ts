import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure } from "@/api/failure";
import { useStore } from "./store";

export type WriteState = "ready" | "sending" | "unknown";

interface Write<P, T> {
  /** Names the thing done: the same name in two tabs is the same deed. */
  name: string;
  send: (key: string, payload: P) => Promise<T>;
}

export interface Intent<P, T> {
  state: WriteState;
  /** Sends once: a second call meanwhile is ignored and answers undefined. */
  run: (payload: P) => Promise<T | undefined>;
  /** After an unknown outcome: asks again, with the same key and the same payload. */
  again: () => Promise<T | undefined>;
}

/**
 * A write that happens once. Its key is made when the form is opened and kept until the server has answered for
 * certain (a success, or a refusal of the four hundreds); after a broken connection the same key is used again.
 */
export function useIntent<P, T>({ name, send }: Write<P, T>): Intent<P, T> {
  const [state, setState] = useState<WriteState>("ready");
  const { openIntent, closeIntent } = useStore.getState();
  const key = useRef<string | null>(null);
  const busy = useRef(false);
  const last = useRef<P | undefined>(undefined);

  useEffect(() => {
    key.current = openIntent(name);
  }, [name, openIntent]);

  const run = useCallback(
    async (payload: P) => {
      if (busy.current) return undefined;
      busy.current = true;
      last.current = payload;
      setState("sending");
      const used = key.current ?? openIntent(name);
      key.current = used;
      const settle = (next: WriteState) => {
        busy.current = false;
        setState(next);
        if (next === "unknown") return;
        closeIntent(name, used);
        key.current = null;
      };
      try {
        const answer = await send(used, payload);
        settle("ready");
        return answer;
      } catch (error) {
        settle(asFailure(error).certain ? "ready" : "unknown");
        throw error;
      }
    },
    [name, send, openIntent, closeIntent],
  );

  const again = useCallback(async () => (last.current === undefined ? undefined : run(last.current)), [run]);
  return { state, run, again };
}
