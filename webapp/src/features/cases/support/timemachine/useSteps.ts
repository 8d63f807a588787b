import { useMemo } from "react";
import type { ReplayStep, ReplaySubject } from "@/api/schema.gen";
import { getCaseSteps } from "@/api/support";
import type { Source } from "@/store/source";
import { usePages } from "@/store/useRead";

interface Steps {
  steps: ReplayStep[];
  next?: number;
}

const nothing: Source<Steps> & { rows: "steps" } = {
  key: "steps:none",
  area: "support",
  rows: "steps",
  read: async () => ({ value: { steps: [] }, message: "", stale: false }),
};

const source = (id: string, subject: ReplaySubject, from: number | undefined, back: boolean) => ({
  key: `steps:${id}:${subject}:${from ?? ""}:${back ? "back" : "on"}`,
  area: "support" as const,
  rows: "steps" as const,
  read: ({ before }: { before?: string }) => getCaseSteps(id, subject, before ? Number(before) : from, back),
});

/**
 * The events of a subject around a position, or its latest: a hundred at a time, loaded on at both ends. Those of the
 * position itself are among those before it.
 */
export function useSteps(id: string, subject: ReplaySubject, anchor: number | undefined) {
  const after = anchor === undefined ? undefined : anchor + 1;
  const back = usePages(source(id, subject, after, true));
  const on = usePages(after === undefined ? nothing : source(id, subject, after, false));
  const steps = useMemo(() => {
    const found = new Map([...back.rows, ...on.rows].map((step) => [step.position, step]));
    return [...found.values()].sort((one, other) => one.position - other.position);
  }, [back.rows, on.rows]);
  return { steps, back, on };
}

export type LoadedSteps = ReturnType<typeof useSteps>;
