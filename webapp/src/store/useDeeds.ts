import { useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { attempt } from "./attempt";
import { once } from "./once";
import { useStore } from "./store";

/**
 * Writes of a screen, one at a time: `busy` names the one under way, for its button. `deed` names all of what is done,
 * so that the same after a broken connection is done once. What the topics name is read again after each.
 */
export function useDeeds(topics: readonly string[]) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [busy, setBusy] = useState<string>();
  const running = useRef(false);
  const act = async <T>(deed: string, send: (key: string) => Promise<Answer<T>>) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(deed);
    const done = await attempt(once(deed, send));
    running.current = false;
    setBusy(undefined);
    if (done) refreshTopics(topics);
    return done;
  };
  return { busy, act };
}

const AJO = ["ajo", "wallet", "activity"];

/** Writes in an ajo or on a card: most of them move money. */
export const useAjoDeeds = () => useDeeds(AJO);
