import { present } from "@/lib/present";
import { readStored, writeStored } from "./stored";

/** When something was last sent under each key, by the server's clock in ms. It says nothing else. */
const TRIES_KEY = "adashi-tries";

/** Keys under which this page sends something now. */
const sending = new Set<string>();

export const isSending = (key: string) => sending.has(key);

/** Keys under which this page has sent something, each with the session. */
const sentHere = new Set<string>();

/** Whether the page may still show what was sent under a key: doing it again there does it once, by the same key. */
export const wasSentHere = (session: string, key: string) => sentHere.has(`${session} ${key}`);

export function beginTry(session: string, key: string) {
  sending.add(key);
  sentHere.add(`${session} ${key}`);
  writeStored(TRIES_KEY, { ...readStored<number>(TRIES_KEY), [key]: present().getTime() });
}

/** The try is over. `known`: so is the command. */
export function endTry(key: string, known: boolean) {
  sending.delete(key);
  if (!known) return;
  const { [key]: _, ...others } = readStored<number>(TRIES_KEY);
  writeStored(TRIES_KEY, others);
}

/** How long ago something was last sent under a key, in ms; undefined where nobody knows. */
export function sinceTry(key: string): number | undefined {
  const at = readStored<number>(TRIES_KEY)[key];
  return at === undefined ? undefined : present().getTime() - at;
}
