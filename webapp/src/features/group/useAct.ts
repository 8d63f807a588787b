import { useRef, useState } from "react";
import type { Answer } from "@/api/client";
import { attempt } from "@/store/attempt";
import { once } from "@/store/once";
import { useStore } from "@/store/store";

/**
 * Writes of a group's screen, one at a time: `busy` names the one under way, for its button. `deed` names all of what
 * is done, so that the same after a broken connection is done once.
 */
export function useAct(groupId: string) {
  const refreshGroup = useStore((state) => state.refreshGroup);
  const [busy, setBusy] = useState<string>();
  const running = useRef(false);
  const act = async <T>(deed: string, send: (key: string) => Promise<Answer<T>>) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(deed);
    const done = await attempt(once(deed, send));
    running.current = false;
    setBusy(undefined);
    if (done) refreshGroup(groupId);
    return done;
  };
  return { busy, act };
}
