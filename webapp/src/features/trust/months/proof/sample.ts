import { bytesOf, chosenOf } from "@/lib/draw/hashes";
import { type Bytes, fromText, join, sha256 } from "@/lib/proof/bytes";

// As the ledger's package sampling has it (ledger/domain/sampling): its test and ours read the same vectors.
const LIST = fromText("adashi.ng/month-list/v1\n");
const SAMPLE = fromText("adashi.ng/month-sample/v1\n");
const POSITIONS = fromText("adashi.ng/month-positions/v1\n");

/** What it takes to draw a month's sample. */
export interface ListOf {
  id: string;
  month: string;
  position: number;
  positions: number[];
  always: number[];
}

function u64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** The digest that seals a list. */
export function listDigest({ id, month, position, positions, always }: ListOf): Promise<Bytes> {
  const inAnyCase = new Set(always);
  const items = positions.map((at) => join(u64(at), Uint8Array.of(inAnyCase.has(at) ? 1 : 0)));
  const place = bytesOf(id.replaceAll("-", "").toLowerCase());
  return sha256(LIST, place, fromText(month), u64(position), u32(positions.length), ...items);
}

export const sampleSeed = async (digest: Bytes, signature: string) =>
  sha256(SAMPLE, digest, await sha256(bytesOf(signature)));

/** How many are drawn: the least n with (1 − margin)^n ≤ 0.05. */
export const needed = (marginPercent: number) => Math.ceil(Math.log(0.05) / Math.log1p(-marginPercent / 100));

/** The positions of the sample: those that are always looked at, and of the rest those that a seed draws. */
export async function sampleOf({ positions, always }: ListOf, seed: Bytes, marginPercent: number): Promise<number[]> {
  const inAnyCase = new Set(always);
  const rest = positions.filter((at) => !inAnyCase.has(at));
  const drawn = new Set((await chosenOf(seed, rest.length, needed(marginPercent))).map((rank) => rest[rank]));
  return positions.filter((at) => inAnyCase.has(at) || drawn.has(at));
}

/** The digest of a sample's positions, which is signed with what is attested. */
export const positionsDigest = (positions: number[]): Promise<Bytes> =>
  sha256(POSITIONS, u32(positions.length), ...positions.map(u64));
