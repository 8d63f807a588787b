import { type Bytes, equal, sha256 } from "./bytes";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** RFC 6962: the hash of a leaf. */
export const leafHash = (record: Bytes) => sha256(LEAF, record);

const half = (whole: number) => Math.floor(whole / 2);
const odd = (whole: number) => whole % 2 === 1;

/** RFC 6962: whether the audit path leads from the leaf at an index to the root of a tree of that size. */
export async function leadsTo(root: Bytes, leaf: Bytes, index: number, size: number, path: Bytes[]): Promise<boolean> {
  if (!Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let node = leaf;
  let at = index;
  let last = size - 1;
  for (const other of path) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      node = await sha256(NODE, other, node);
      while (!odd(at) && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else node = await sha256(NODE, node, other);
    at = half(at);
    last = half(last);
  }
  return last === 0 && equal(node, root);
}

/** A tree's size and root. */
export interface Tree {
  size: number;
  root: Bytes;
}

/** RFC 9162, 2.1.4.2: whether a proof shows that a tree only grew into another. */
export async function continues(older: Tree, newer: Tree, proof: Bytes[]): Promise<boolean> {
  if (!Number.isSafeInteger(newer.size) || older.size < 1 || older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && equal(older.root, newer.root);
  const whole = Number.isInteger(Math.log2(older.size));
  const [first, ...path] = whole ? [older.root, ...proof] : proof;
  if (!first || (!whole && path.length === 0)) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  const up = () => {
    [at, last] = [half(at), half(last)];
  };
  while (odd(at)) up();
  let [before, now] = [first, first];
  for (const other of path) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      before = await sha256(NODE, other, before);
      now = await sha256(NODE, other, now);
      while (!odd(at) && at !== 0) up();
    } else now = await sha256(NODE, now, other);
    up();
  }
  return last === 0 && equal(before, older.root) && equal(now, newer.root);
}
