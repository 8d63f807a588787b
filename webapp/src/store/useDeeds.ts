import { useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { attempt } from "./attempt";
import { once } from "./once";
import { succeed } from "./report";
import { reportMoney } from "./reportMoney";
import { useStore } from "./store";
import { useIntent } from "./useIntent";

/**
 * Writes of a screen, one at a time: `busy` names the one under way, for its button. `deed` names all of what is done,
 * so that the same after a broken connection is done once. What the topics name is read again after each, also where it
 * is refused: something else may be there by now. `onRefused` reads again what no topic names. `pays`: the deeds move
 * money.
 */
export function useDeeds(topics: readonly string[], pays = false, onRefused?: () => void) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [busy, setBusy] = useState<string>();
  const running = useRef(false);
  const act = async <T>(deed: string, send: (key: string) => Promise<Answer<T>>) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(deed);
    const done = await attempt(once(deed, send, { free: !pays }), pays, onRefused);
    running.current = false;
    setBusy(undefined);
    refreshTopics(topics);
    return done;
  };
  return { busy, act };
}

const AJO = ["ajo", "wallet", "activity"];

/** Writes in an ajo or on a card that move no money. */
export const useAjoDeeds = () => useDeeds(AJO);

/** Those that move money. */
export const useAjoPayments = () => useDeeds(AJO, true);

/**
 * One payment in an ajo or on a card whose name does not say its details: while nobody knows how the last one went,
 * that one is asked about and no other is sent.
 */
export function useAjoPayment<P, T>(name: string, send: (key: string, payload: P) => Promise<Answer<T>>) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const { run, again, ...sent } = useIntent({ name, send });
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
