import { useEffect, useState } from "react";
import type { ReplayStep } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";
import type { LoadedSteps } from "./useSteps";

/** So near to an end the next page is asked for. */
const EARLY = 5;
const SETTLE_MS = 200;
const PLAY_MS = 1000;

const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a value was when it last stood still for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const later = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(later);
  }, [value]);
  return settled;
}

/** The event at a position: the last that was there by then, or the very first. */
function indexAt(steps: ReplayStep[], position: number | undefined): number {
  if (position === undefined) return steps.length - 1;
  return Math.max(
    0,
    steps.findLastIndex((step) => step.position <= position),
  );
}

/** Where the days before and after an event of the list begin: the last event before its day, the first after it. */
function dayNext(steps: ReplayStep[], index: number, by: 1 | -1): number {
  const day = lagosDay(steps[index]?.recordedAt);
  if (by > 0) {
    const next = steps.findIndex((step, at) => at > index && lagosDay(step.recordedAt) !== day);
    return next < 0 ? steps.length - 1 : next;
  }
  return Math.max(
    0,
    steps.findLastIndex((step, at) => at < index && lagosDay(step.recordedAt) !== day),
  );
}

/** Plays: an event after another until there is none, or until somebody does something else. */
function usePlaying(more: boolean, onTick: () => void) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing || !more) return;
    const next = setTimeout(onTick, PLAY_MS);
    return () => clearTimeout(next);
  });
  return { playing: playing && more, setPlaying };
}

/** Goes through the events: one at a time, a day at a time, to any of them, or by itself. */
export function useCourse({ steps, back, on }: LoadedSteps, begin: number | undefined) {
  const [position, setPosition] = useState(begin);
  const index = indexAt(steps, position);
  const last = steps.length - 1;
  const step = steps[index];
  const to = (next: number) => setPosition(steps[Math.max(0, Math.min(next, last))]?.position);
  const { playing, setPlaying } = usePlaying(index < last, () => to(index + 1));
  const { more: earlier } = back;
  const { more: later } = on;
  useEffect(() => {
    if (index < EARLY && earlier) earlier();
  }, [index, earlier]);
  useEffect(() => {
    if (index > last - EARLY && later) later();
  }, [index, last, later]);
  const by = (next: number) => {
    setPlaying(false);
    to(next);
  };
  return {
    index,
    step,
    playing,
    to: by,
    move: (count: number) => by(index + count),
    day: (way: 1 | -1) => by(dayNext(steps, index, way)),
    jump: (wanted: number) => {
      setPlaying(false);
      setPosition(wanted);
    },
    /** Where less motion is asked for, playing is a step. */
    play: () => (isStill() ? by(index + 1) : setPlaying(!playing)),
    still: isStill(),
  };
}

export type Course = ReturnType<typeof useCourse>;
