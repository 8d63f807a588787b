import { useState } from "react";
import type { ReplayStep } from "@/api/schema.gen";

/** So many events may an outcome name. */
const NAMED_MAX = 20;

/** The events that an outcome names, and those that were taken into the lab, chosen in the time machine. */
export function useNamed() {
  const [tried, setTried] = useState<Pick<ReplayStep, "position" | "title" | "effectiveAt">[]>([]);
  const [named, setNamed] = useState<Pick<ReplayStep, "eventId" | "title" | "recordedAt">[]>([]);
  const has = (eventId: string) => named.some((one) => one.eventId === eventId);
  const remove = (eventId: string) => setNamed(named.filter((one) => one.eventId !== eventId));
  return {
    named,
    has,
    full: named.length >= NAMED_MAX,
    remove,
    /** The events that were taken into the lab. */
    tried,
    tries: (position: number) => tried.some((one) => one.position === position),
    tryIt: (step: ReplayStep) =>
      setTried((before) => [...before.filter((one) => one.position !== step.position), step].slice(-NAMED_MAX)),
    toggle: (step: ReplayStep) => {
      if (has(step.eventId)) remove(step.eventId);
      else setNamed([...named, step].slice(0, NAMED_MAX));
    },
  };
}

export type Named = ReturnType<typeof useNamed>;
