import { getCheckpoint, getKeys } from "@/api/ledger";
import { readCheckpoint, signerOf } from "@/lib/proof/note";

export interface Sealed {
  size: number;
  origin: string;
  /** Base64, as the note has it. */
  root: string;
  /** The key that signed it; absent where none of the ledger's did. */
  signer?: string;
  key?: string;
  /** When this browser checked it, in ms. */
  at: number;
}

/** The ledger's newest checkpoint, its signature checked by this very browser; undefined where there is none to read. */
export async function checkSeal(): Promise<Sealed | undefined> {
  const [note, { value: keys }] = await Promise.all([getCheckpoint(), getKeys()]);
  const checkpoint = readCheckpoint(note);
  if (!checkpoint) return undefined;
  const root = checkpoint.text.split("\n")[2] ?? "";
  const sealed = { size: checkpoint.size, origin: checkpoint.origin, root, at: Date.now() };
  for (const { key, retired } of keys) {
    const signer = retired ? undefined : await signerOf(checkpoint, key);
    if (signer) return { ...sealed, signer, key };
  }
  return sealed;
}
