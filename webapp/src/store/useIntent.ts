import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure } from "@/api/failure";
import { askOpen } from "./asking";
import { isOpen, openIntent, passIntent } from "./intents";
import { once } from "./once";
import { type State, useStore } from "./store";

export type WriteState = "ready" | "sending" | "unknown";

interface Write<P, T> {
  /** Names the thing done: the same name in two tabs is the same deed. */
  name: string;
  send: (key: string, payload: P) => Promise<T>;
  /** It moves no money: where the server knows the key with other details, the next try is another deed. */
  free?: boolean;
}

export interface Intent<P, T> {
  state: WriteState;
  /** An unknown outcome is being asked about. */
  checking: boolean;
  /** A try from before the page was loaded, or of another tab, has had no answer. Its details are not here. */
  open: boolean;
  /** Sends once: a second call meanwhile is ignored and answers undefined. */
  run: (payload: P) => Promise<T | undefined>;
  /** After an unknown outcome: asks again, with the same key and the same payload. */
  again: () => Promise<T | undefined>;
  /** Where the server refused these details but did not tell how the earlier try went: another may begin. */
  pass: (() => void) | undefined;
}

/** What was asked for under a name, if nobody knows yet how that went. */
const askedIn = ({ intents, asked }: State, name: string) => asked[intents[name] ?? ""];

/**
 * A write that happens once. Its key is made when the form is opened and kept until it is known how it went: by a
 * success, or by a refusal before which no try had been lost. After a broken connection the same key is used again.
 */
export function useIntent<P, T>({ name, send, free = false }: Write<P, T>): Intent<P, T> {
  const [sending, setSending] = useState<"first" | "again">();
  const [conflict, setConflict] = useState(false);
  const person = useStore(({ session }) => session?.id);
  const unknown = useStore((state) => askedIn(state, name) !== undefined);
  const sent = useStore((state) => isOpen(state, name));
  const key = useRef<string>(undefined);
  const busy = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another key
  useEffect(() => {
    key.current = openIntent(name);
    if (isOpen(useStore.getState(), name)) void askOpen();
  }, [name, person]);

  const pass = useCallback(() => {
    passIntent(name);
    key.current = undefined;
  }, [name]);

  const run = useCallback(
    async (payload: P) => {
      if (busy.current) return undefined;
      busy.current = true;
      setSending(askedIn(useStore.getState(), name) ? "again" : "first");
      try {
        const answer = await once(name, (used) => send(used, payload), { key: key.current, payload });
        key.current = undefined;
        return answer;
      } catch (error) {
        const { certain, status } = asFailure(error);
        if (certain) key.current = undefined;
        if (free && status === 409) pass();
        setConflict([400, 409].includes(status ?? 0));
        throw error;
      } finally {
        busy.current = false;
        setSending(undefined);
      }
    },
    [name, send, free, pass],
  );

  const again = useCallback(async () => {
    const asked = askedIn(useStore.getState(), name);
    return asked && run(asked.payload as P);
  }, [name, run]);

  const waits = unknown && sending !== "first";
  return {
    state: waits ? "unknown" : sending ? "sending" : "ready",
    checking: sending === "again",
    open: sent && !unknown,
    run,
    again,
    pass: waits && conflict ? pass : undefined,
  };
}
