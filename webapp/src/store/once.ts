import { asFailure, sinceLost } from "@/api/failure";
import { askOpen } from "./asking";
import { beginIntent, closeIntent, openIntent } from "./intents";
import { newKey } from "./keys";
import { useStore } from "./store";
import { endTry } from "./tries";

interface Try {
  /** A key that was made before, when the form was opened. */
  key?: string;
  /** What is asked for, where it may be asked for again. */
  payload?: unknown;
  /** It moves no money and may be undone: later on, the same name is another deed. */
  free?: boolean;
}

/** For how long a free deed that had no answer is tried again as the same one. */
const AGAIN_MS = 10 * 60_000;
/** Free deeds that had no answer, until one is done: then the same may be wanted another time. */
const tried = new Map<string, { key: string; at: number }>();

async function onceFree<T>(name: string, send: (key: string) => Promise<T>): Promise<T> {
  const deed = `${useStore.getState().session?.id} ${name}`;
  const before = tried.get(deed);
  const key = before && Date.now() - before.at < AGAIN_MS ? before.key : newKey();
  tried.set(deed, { key, at: Date.now() });
  try {
    const answer = await send(key);
    tried.clear();
    return answer;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.certain) tried.delete(deed);
    throw failure;
  }
}

/**
 * Sends a deed under one key: the same name has the same key, in every tab and after a reload, until it is known how it
 * went. So a name says all of what is done, and doing it again after a broken connection does it once. Once a try had
 * no answer, only an answer about that very try ends it: its own, or the server's when it is asked what became of it.
 * The key of a free deed is kept for some minutes, in this page.
 */
export async function once<T>(
  name: string,
  send: (key: string) => Promise<T>,
  { key, payload, free }: Try = {},
): Promise<T> {
  if (free) return onceFree(name, send);
  const person = useStore.getState().session?.id;
  const used = key ?? openIntent(name);
  const earlier = beginIntent(name, used, payload);
  try {
    const answer = await send(used);
    closeIntent(name, used, person);
    return answer;
  } catch (error) {
    const failure = earlier ? sinceLost(error) : asFailure(error);
    endTry(used, failure.certain);
    if (failure.certain) closeIntent(name, used, person);
    else if (!failure.expired) void askOpen();
    throw failure;
  }
}
