import { getCheckpoint, getConsistency, getEpochs, getKeys } from "@/api/ledger";
import { present } from "@/lib/present";
import { equal, fromBase64 } from "@/lib/proof/bytes";
import { partedAt } from "@/lib/proof/epochs";
import { keepFirst } from "@/lib/proof/first";
import { continues } from "@/lib/proof/merkle";
import { type Checkpoint, type EpochStart, epochOf, readCheckpoint, readEpochStart, signerOf } from "@/lib/proof/note";

export interface Sealed {
  size: number;
  origin: string;
  /** The signed note. */
  note: string;
  /** Base64, as the note has it. */
  root: string;
  /** The key that signed it; absent where none of the ledger's did. */
  signer?: string;
  key?: string;
  /** When this browser checked it, in ms. */
  at: number;
  /** The ledger does not continue what this browser saw before, as many records as this ago. */
  broken?: number;
  /** Times that the records were put back to an earlier one, as the key signed. */
  epochs: EpochStart[];
}

/** Where this browser keeps the checkpoint that it saw last. It says nothing of anybody, and outlives a logout. */
const SEEN = "adashi-checkpoint";

/** How many records this browser saw that the ledger no longer has, though nobody signed that; undefined for none. */
async function gone(now: Checkpoint, epochs: EpochStart[], keys: string[]): Promise<number | undefined> {
  const before = readCheckpoint(localStorage.getItem(SEEN) ?? "");
  // One that none of the keys signed is of another ledger, at the same address.
  if (!before || !(await Promise.all(keys.map((key) => signerOf(before, key)))).some(Boolean)) return undefined;
  const later = epochOf(now.origin) > epochOf(before.origin);
  const last = later ? partedAt(before, now, epochs) : before;
  if (last?.size === 0) return undefined;
  if (!last || epochOf(before.origin) > epochOf(now.origin) || last.size > now.size) return before.size;
  if (last.size === now.size) return equal(last.root, now.root) ? undefined : before.size;
  const { value } = await getConsistency(last.size, now.size);
  const hashes = value.hashes.map(fromBase64).filter((hash) => hash !== undefined);
  const grew = hashes.length === value.hashes.length && (await continues(last, now, hashes));
  return grew ? undefined : before.size;
}

/**
 * The ledger's newest checkpoint, its signature checked by this very browser, and that it continues the last one that
 * this browser saw; undefined where there is none to read. The first that holds is kept for the person, and stays.
 */
export async function checkSeal(user: string): Promise<Sealed | undefined> {
  const [note, { value: keys }, { value: begun }] = await Promise.all([getCheckpoint(), getKeys(), getEpochs()]);
  const checkpoint = readCheckpoint(note);
  if (!checkpoint) return undefined;
  const root = checkpoint.text.split("\n")[2] ?? "";
  const sealed = { size: checkpoint.size, origin: checkpoint.origin, note, root, at: present().getTime() };
  const signed = await Promise.all(begun.flatMap((one) => keys.map(({ key }) => readEpochStart(one.note, key))));
  const epochs = signed.filter((epoch) => epoch !== undefined);
  for (const { key, retired } of keys) {
    const signer = retired ? undefined : await signerOf(checkpoint, key);
    if (!signer) continue;
    const broken = await gone(
      checkpoint,
      epochs,
      keys.map((one) => one.key),
    );
    if (broken === undefined) {
      localStorage.setItem(SEEN, note);
      await keepFirst(user, note, key);
    }
    return { ...sealed, epochs, signer, key, ...(broken === undefined ? {} : { broken }) };
  }
  return { ...sealed, epochs };
}
