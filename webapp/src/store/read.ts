import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import { toast } from "@/ui/toaster";
import type { Remote } from "./remote";

interface Reading<T> {
  /** One reading of a key runs at a time; a wish that comes meanwhile is fulfilled right after. */
  key: string;
  get: () => Remote<T>;
  put: (next: Remote<T>) => void;
  read: () => Promise<Answer<T>>;
  text?: (error: unknown) => string;
}

const STALE_PAUSE_MS = 250;
const STALE_TRIES = 6;

let era = 0;
const running = new Map<string, { again: boolean }>();

/** Answers to the person who was signed in before are dropped. */
export function dropReadings() {
  era += 1;
  running.clear();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readOnce<T>({ get, put, read, text = failureText }: Reading<T>, began: number): Promise<boolean> {
  try {
    const { value, stale } = await read();
    if (began === era) put({ state: "ready", value });
    return stale;
  } catch (error) {
    if (began !== era) return false;
    const failure = asFailure(error);
    const missing = failure.status === 404;
    // What is on screen stays, unless it is gone: a group that one has left shows nothing any more.
    if (get().state === "ready" && !missing) return false;
    put({ state: "failed", text: text(error), missing });
    if (!failure.certain) toast.error(text(error));
    return false;
  }
}

export async function readInto<T>(reading: Reading<T>): Promise<void> {
  const busy = running.get(reading.key);
  if (busy) {
    busy.again = true;
    return;
  }
  const turn = { again: false };
  const began = era;
  running.set(reading.key, turn);
  if (reading.get().state !== "ready") reading.put({ state: "loading" });
  let stale = await readOnce(reading, began);
  for (let tries = 0; began === era && (turn.again || (stale && tries < STALE_TRIES)); tries++) {
    if (!turn.again) await pause(STALE_PAUSE_MS);
    turn.again = false;
    stale = await readOnce(reading, began);
  }
  if (running.get(reading.key) === turn) running.delete(reading.key);
}
