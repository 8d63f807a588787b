import { type Bytes, equal, fromHex, fromText, join, sha256 } from "./bytes";

/** The rules of ledger/infra/proofs/liabilities: both are held to the same vectors. */

const LEAF = fromText("adashi liabilities leaf v1\0");
const NODE = fromText("adashi liabilities node v1\0");
const HASH_BYTES = 32;
const LARGEST = 2n ** 63n - 1n;
const DEPTH_MIN = 8;
const DEPTH_MAX = 32;

interface Beside {
  kobo: string;
  hash: string;
}

interface Part {
  kobo: string;
  salt: string;
  index: number;
  path: Beside[];
}

export interface Proven {
  account: string;
  kobo: string;
  parts: Part[];
}

export interface LiabilitiesFile {
  version: number;
  id: string;
  position: number;
  root: string;
  sum: string;
  leaves: number;
  accounts: Proven[];
}

interface Node {
  hash: Bytes;
  kobo: bigint;
}

class Wrong extends Error {}

function must(holds: unknown): asserts holds {
  if (!holds) throw new Wrong();
}

const isAmount = (text: string) => /^(0|[1-9]\d{0,18})$/.test(text);

/** Whole kobo in plain digits; never negative, never beyond what the ledger can hold. */
function kobo(text: string): bigint {
  must(isAmount(text));
  const amount = BigInt(text);
  must(amount <= LARGEST);
  return amount;
}

function hash(text: string): Bytes {
  const bytes = fromHex(text);
  must(bytes?.length === HASH_BYTES);
  return bytes;
}

function eight(amount: bigint): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, amount);
  return bytes;
}

/** A node's hash commits to the sum of each child by itself. */
async function above(left: Node, right: Node): Promise<Node> {
  const sum = left.kobo + right.kobo;
  must(sum <= LARGEST);
  return { hash: await sha256(NODE, eight(left.kobo), left.hash, eight(right.kobo), right.hash), kobo: sum };
}

async function up(account: string, part: Part, depth: number): Promise<Node> {
  must(part.path.length === depth && Number.isSafeInteger(part.index) && part.index >= 0 && part.index < 2 ** depth);
  const own = kobo(part.kobo);
  let node: Node = { hash: await sha256(join(LEAF, hash(part.salt), eight(own), fromText(account))), kobo: own };
  let at = part.index;
  for (const other of part.path) {
    const beside = { hash: hash(other.hash), kobo: kobo(other.kobo) };
    node = at % 2 === 1 ? await above(beside, node) : await above(node, beside);
    at = Math.floor(at / 2);
  }
  return node;
}

async function total(file: LiabilitiesFile, root: string): Promise<bigint> {
  const depth = Math.log2(file.leaves);
  must(file.version === 1 && file.root === root && file.accounts.length > 0);
  must(Number.isInteger(depth) && depth >= DEPTH_MIN && depth <= DEPTH_MAX);
  const wanted = { hash: hash(root), kobo: kobo(file.sum) };
  const names = new Set<string>();
  const leaves = new Set<number>();
  let sum = 0n;
  for (const { account, kobo: holds, parts } of file.accounts) {
    must(account !== "" && !names.has(account) && parts.length > 0);
    names.add(account);
    let own = 0n;
    for (const part of parts) {
      const node = await up(account, part, depth);
      must(equal(node.hash, wanted.hash) && node.kobo === wanted.kobo && !leaves.has(part.index));
      leaves.add(part.index);
      own += kobo(part.kobo);
    }
    must(own === kobo(holds));
    sum += own;
  }
  must(sum <= LARGEST);
  return sum;
}

/** What a file's accounts hold together, in kobo, where all of it leads to the root; undefined where anything is wrong. */
export async function countedUnder(file: LiabilitiesFile, root: string): Promise<bigint | undefined> {
  try {
    return await total(file, root);
  } catch (error) {
    if (error instanceof Wrong || error instanceof TypeError) return undefined;
    throw error;
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  while (left > 127n) {
    bytes.push(Number(left & 127n) | 128);
    left >>= 7n;
  }
  return Uint8Array.of(...bytes, Number(left));
}

const field = (number: number, value: bigint) => (value === 0n ? [] : [Uint8Array.of(number << 3), varint(value)]);

/** Whether bytes stand somewhere in others. */
const holds = (bytes: Uint8Array, part: Uint8Array) =>
  bytes.some((_, at) => part.every((byte, offset) => bytes[at + offset] === byte));

/** Whether a record of the ledger is its statement of the file's root: LiabilitiesCommitted, fields 1 to 5. */
export function states(record: Uint8Array, file: LiabilitiesFile): boolean {
  const id = fromText(file.id);
  const root = fromHex(file.root);
  if (root?.length !== HASH_BYTES || ![file.sum, `${file.position}`, `${file.leaves}`].every(isAmount)) return false;
  const said = join(
    Uint8Array.of(10, id.length),
    id,
    ...field(2, BigInt(file.position)),
    Uint8Array.of(26, HASH_BYTES),
    root,
    ...field(4, BigInt(file.sum)),
    ...field(5, BigInt(file.leaves)),
  );
  return holds(record, fromText("naira.v1.LiabilitiesCommitted")) && holds(record, said);
}
