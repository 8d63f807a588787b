import { useEffect, useRef } from "react";
import type { Answer } from "@/api/client";
import { useStore } from "./store";
import { useReading } from "./useReading";

/** Calls `then` whenever the group is said to have changed. */
export function useGroupTick(groupId: string, then: () => void) {
  const tick = useStore((state) => state.groupTicks[groupId] ?? 0);
  const seen = useRef({ groupId, tick });
  const act = useRef(then);
  act.current = then;
  useEffect(() => {
    const changed = seen.current.groupId === groupId && seen.current.tick !== tick;
    seen.current = { groupId, tick };
    if (changed) act.current();
  }, [groupId, tick]);
}

/** What one screen alone reads of a group: read again whenever the group is said to have changed. */
export function useGroupReading<T>(groupId: string, read: () => Promise<Answer<T>>, key = groupId) {
  const reading = useReading(read, { key });
  useGroupTick(groupId, () => void reading.load());
  return reading;
}
