import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure } from "@/api/failure";
import { askOpen } from "./asking";
import { sendCommand } from "./command";
import { draftKey, note, openAbout } from "./commands";
import { succeed } from "./report";
import { reportMoney, told } from "./reportMoney";
import { type State, useStore } from "./store";

interface Write<P, T> {
  /** Names what it is about: the same name in two tabs is the same command. */
  name: string;
  /** The name of what pays the same in another way: while that has no known outcome, nothing is sent. */
  beside?: string;
  send: (key: string, payload: P) => Promise<T>;
}

/** What is sent under a name and has no known outcome. */
const aboutIn = ({ commands }: Pick<State, "commands">, name: string) => openAbout(Object.values(commands), name);

/**
 * One command of a form, sent once. Its key is made when the form opens and kept until its outcome is known: by a
 * success, by a refusal before which no try had been lost, or by the server when it is asked. After a broken connection
 * the same key is used again. With other details it is another command, which is not sent meanwhile.
 */
export function useCommand<P, T>({ name, beside, send }: Write<P, T>) {
  const [sending, setSending] = useState<"first" | "again">();
  const [conflict, setConflict] = useState(false);
  const person = useStore(({ session }) => session?.id ?? "");
  const about = useStore((state) => aboutIn(state, name));
  const draft = useRef<string>(undefined);
  const busy = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another key
  useEffect(() => {
    const key = draftKey(name);
    const isOpen = aboutIn(useStore.getState(), name) !== undefined;
    draft.current = isOpen ? undefined : key; // What is open may end while the form is: its key serves nothing else.
    if (isOpen) void askOpen();
  }, [name, person]);

  const pass = useCallback(() => {
    const open = aboutIn(useStore.getState(), name);
    if (open) note(person, open.key, { passed: true });
  }, [name, person]);

  const run = useCallback(
    async (payload: P) => {
      if (busy.current) return undefined;
      busy.current = true;
      setSending(aboutIn(useStore.getState(), name) ? "again" : "first");
      // A key serves one command: what comes after it has another.
      const key = draft.current;
      draft.current = undefined;
      try {
        const answer = await sendCommand({ name, beside, payload, key }, (used) => send(used, payload));
        setConflict(false);
        return answer;
      } catch (error) {
        setConflict([400, 409].includes(asFailure(error).status ?? 0));
        throw error;
      } finally {
        busy.current = false;
        setSending(undefined);
      }
    },
    [name, beside, send],
  );

  const again = useCallback(async () => {
    const asked = aboutIn(useStore.getState(), name)?.asked;
    return asked && run(asked.payload as P);
  }, [name, run]);

  const unknown = about?.asked !== undefined && sending !== "first";
  const open = about !== undefined && about.asked === undefined;
  return {
    state: unknown ? ("unknown" as const) : sending ? ("sending" as const) : ("ready" as const),
    /** An unknown outcome is being asked about. */
    checking: sending === "again",
    /** A try from before the page was loaded, or of another tab, has had no answer. Its details are not here. */
    open,
    /** Sends once: a second call meanwhile is ignored and answers undefined. */
    run,
    /** After an unknown outcome: asks again, with the same key and the same payload. */
    again,
    /** Where the server did not tell how the earlier try went: another may begin. */
    pass: (unknown && conflict) || (sending === undefined && about?.started) ? pass : undefined,
  };
}

/**
 * The commands of a screen with several buttons, one at a time: `busy` names the one under way. `about` names what a
 * command is about, `payload` all else that it says. What the topics name is read again after each, also where it is
 * refused: something else may be there by now. `onRefused` reads again what no topic names. `pays`: they move money.
 */
export function useActs(topics: readonly string[], pays = false, onRefused?: () => void) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [busy, setBusy] = useState<string>();
  const running = useRef(false);
  const act = async <T>(about: string, send: (key: string) => Promise<Answer<T>>, payload?: unknown) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(about);
    const done = await told(sendCommand({ name: about, payload, free: !pays }, send), pays, onRefused);
    running.current = false;
    setBusy(undefined);
    refreshTopics(topics);
    return done;
  };
  return { busy, act };
}

const AJO = ["ajo", "wallet", "activity"];

/** Commands in an ajo or on a card that move no money. */
export const useAjoActs = () => useActs(AJO);

/** Those that move money. */
export const useAjoPayments = () => useActs(AJO, true);

/** One payment in an ajo or on a card: while its outcome is unknown it is asked about, and no other is sent. */
export function useAjoPayment<P, T>(name: string, send: (key: string, payload: P) => Promise<Answer<T>>) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const { run, again, ...sent } = useCommand({ name, send });
  const settle = async (sending: ReturnType<typeof run>) => {
    try {
      const done = await sending;
      if (!done) return false;
      succeed(done.message);
      refreshTopics(AJO);
      return true;
    } catch (error) {
      reportMoney(error);
      return false;
    }
  };
  const ask = () => settle(again());
  return {
    sent: { ...sent, again: () => void ask() },
    /** Answers whether it is done, or the one that was open is. */
    pay: (payload: P) => (sent.state === "unknown" ? ask() : settle(run(payload))),
  };
}
