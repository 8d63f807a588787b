import { getConsistency } from "@/api/ledger";
import type { Cosignature } from "@/api/schema.gen";
import { getCosignatures } from "@/api/witness";
import { equal, fromBase64 } from "@/lib/proof/bytes";
import { isCosignedBy } from "@/lib/proof/cosign";
import { continues, type Tree } from "@/lib/proof/merkle";
import { ledgerOf, readCheckpoint } from "@/lib/proof/note";

export interface Seen {
  /** Whose signature is right, of a tree that is one with the tree asked about. */
  witnesses: Cosignature[];
  /** Whose is not. */
  wrong: Cosignature[];
}

/** Whether two trees are of one history: the smaller is the beginning of the larger. */
async function areOne(one: Tree, other: Tree): Promise<boolean> {
  const [older, newer] = one.size <= other.size ? [one, other] : [other, one];
  if (older.size === newer.size) return equal(older.root, newer.root);
  const { value } = await getConsistency(older.size, newer.size);
  const hashes = value.hashes.map(fromBase64).filter((hash) => hash !== undefined);
  return hashes.length === value.hashes.length && continues(older, newer, hashes);
}

/** Who saw the ledger with a position in it, each checked by this browser against a signed checkpoint. */
export async function checkSeen(note: string, position: number, groupId?: string): Promise<Seen> {
  const tree = readCheckpoint(note);
  const { value } = await getCosignatures(position, groupId);
  const seen: Seen = { witnesses: [], wrong: [] };
  if (!tree) return seen;
  const roots = new Map<string, Promise<boolean>>();
  for (const one of value.cosignatures) {
    const theirs = readCheckpoint(`${one.checkpoint}\n-\n`);
    const right =
      theirs !== undefined &&
      ledgerOf(theirs.origin) === ledgerOf(tree.origin) &&
      theirs.size >= position &&
      theirs.size === one.size &&
      (await isCosignedBy(one.publicKey, one.checkpoint, one.signature));
    if (right && !roots.has(one.checkpoint)) roots.set(one.checkpoint, areOne(theirs, tree));
    seen[right && (await roots.get(one.checkpoint)) ? "witnesses" : "wrong"].push(one);
  }
  return seen;
}
