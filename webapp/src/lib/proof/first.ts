import { inTurn } from "@/lib/inTurn";
import { type Kept, inBrowser as keptIn } from "@/lib/kept";
import { epochOf, readCheckpoint, signerOf } from "./note";

/** Signed notes, by the person and the key of the ledger's that signed. None is ever written over. */
export const inBrowser: Kept<string> = keptIn("adashi-first", "checkpoints");

const place = (user: string, key: string) => `${user} ${key}`;

/**
 * Keeps a checkpoint of a ledger as the first that this device saw for a person, once this browser found that the key
 * signed it; not where it has one. A browser that keeps nothing has none.
 */
export async function keepFirst(user: string, note: string, key: string, kept: Kept<string> = inBrowser) {
  const checkpoint = readCheckpoint(note);
  if (!user || !checkpoint || !(await signerOf(checkpoint, key))) return;
  await inTurn("adashi-first", async () => {
    if ((await kept.get(place(user, key))) === undefined) await kept.put(place(user, key), note);
  }).catch(() => undefined);
}

/** The oldest of those that one of a ledger's keys signed; undefined where this device has none. */
export async function firstSeen(user: string, keys: string[], kept: Kept<string> = inBrowser) {
  const notes = await Promise.all(keys.map((key) => kept.get(place(user, key)))).catch(() => []);
  const found = notes.flatMap((note) => {
    const checkpoint = readCheckpoint(note ?? "");
    return note !== undefined && checkpoint ? [{ note, epoch: epochOf(checkpoint.origin), size: checkpoint.size }] : [];
  });
  return found.sort((one, other) => one.epoch - other.epoch || one.size - other.size)[0]?.note;
}
