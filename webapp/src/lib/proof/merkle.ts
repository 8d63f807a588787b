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
