import { equal } from "./bytes";
import type { Tree } from "./merkle";
import { type Checkpoint, type EpochStart, epochOf } from "./note";

/**
 * The tree that a checkpoint of a later epoch has to continue: the last one that was seen, or that from which the epoch
 * goes on, where the key signed that what was seen is given up. Of size 0 where nothing is left to continue. Undefined
 * where the key did not sign that, signed no start of the epoch, or signed two starts of one.
 */
export function partedAt(before: Checkpoint, now: Checkpoint, told: EpochStart[]): Tree | undefined {
  const [was, is] = [epochOf(before.origin), epochOf(now.origin)];
  const signed = told.filter(({ epoch }) => epoch > was && epoch <= is);
  const numbers = signed.map(({ epoch }) => epoch);
  if (!numbers.includes(is) || new Set(numbers).size < numbers.length) return undefined;
  let last: Tree = before;
  for (const { from, root, givesUp, lost } of signed) {
    if (from >= last.size) continue;
    const another = lost.epoch === was && lost.size === before.size && !equal(lost.root, before.root);
    if (from + givesUp < before.size || another) return undefined;
    last = { size: from, root };
  }
  return last;
}
