import { fromHex, fromText, sha256 } from "@/lib/proof/bytes";
import { randomHex } from "@/lib/random";
import { commitmentOf, earlierCommitmentOf } from "./hashes";

// What this device alone knows until it is opened: its secret for a draw by phones, and its sealed bids.
const BID = fromText("adashi.ng/ajo-bid/v1\n");
/** The version of commitment that a new list takes: of the nonce, so that the public draw needs no user id. */
export const COMMITMENT_VERSION = 2;

const SECRET_BYTES = 32;
const SALT_BYTES = 16;

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const firstKey = (ajoId: string) => `adashi-ajo-first:${ajoId}`; // Who committed first on this device.

/** Where a member's secret is: the first member of a phone has the name without an id, each other one of their own. */
function secretKey(ajoId: string, userId: string) {
  const first = localStorage.getItem(firstKey(ajoId));
  const key = `adashi-ajo-secret:${ajoId}`;
  return first === null || first === userId ? key : `${key}:${userId}`;
}

const bidKey = (ajoId: string, cycle: number, seat: number) => `adashi-ajo-bid:${ajoId}:${cycle}:${seat}`;
const latestKey = (ajoId: string, cycle: number, seat: number) => `${bidKey(ajoId, cycle, seat)}:latest`;

/** The secret that this device keeps for a member in an ajo's draw. */
export const keptSecret = (ajoId: string, userId: string) =>
  localStorage.getItem(secretKey(ajoId, userId)) ?? undefined;

/** A joining: who joins which ajo with which nonce, and what version of commitment its list takes. */
export interface Joining {
  ajoId: string;
  userId: string;
  nonce: string;
  /** 1 in lists of earlier builds. */
  version: number;
}

/** Commits to a member's secret for an ajo, as the request to join tells it. The secret is the same at each joining. */
export async function commitTo({ ajoId, userId, nonce, version }: Joining) {
  const secret = keptSecret(ajoId, userId) ?? randomHex(SECRET_BYTES);
  localStorage.setItem(secretKey(ajoId, userId), secret);
  if (localStorage.getItem(firstKey(ajoId)) === null) localStorage.setItem(firstKey(ajoId), userId);
  const made = version === 1 ? earlierCommitmentOf(ajoId, userId, secret) : commitmentOf(ajoId, nonce, secret);
  return { commitment: hexOf(await made), commitmentVersion: version };
}

export interface KeptBid {
  kobo: number;
  salt: string;
}

/** As ajopot.BidHash has it: cycle and seat as u32, the discount in kobo as u64, and the salt. */
export async function bidHash(cycle: number, seat: number, { kobo, salt }: KeptBid): Promise<string> {
  const numbers = new DataView(new ArrayBuffer(16));
  numbers.setUint32(0, cycle);
  numbers.setUint32(4, seat);
  numbers.setBigUint64(8, BigInt(kobo));
  return hexOf(await sha256(BID, new Uint8Array(numbers.buffer), fromHex(salt) ?? new Uint8Array()));
}

/** Keeps a bid on this device beside the one that is sealed, and answers what is told of it. */
export async function sealedBid(ajoId: string, cycle: number, seat: number, kobo: number): Promise<string> {
  const bid: KeptBid = { kobo, salt: randomHex(SALT_BYTES) };
  const commitment = await bidHash(cycle, seat, bid);
  localStorage.setItem(latestKey(ajoId, cycle, seat), JSON.stringify({ ...bid, commitment }));
  return commitment;
}

/** Takes the latest bid as the sealed one, once it was taken: one that was refused does not lose the one before. */
export function bidTaken(
  ajoId: string,
  { cycle, seat, commitment }: { cycle: number; seat: number; commitment: string },
) {
  const latest = read<KeptBid & { commitment: string }>(latestKey(ajoId, cycle, seat));
  if (latest?.commitment !== commitment) return;
  localStorage.setItem(bidKey(ajoId, cycle, seat), JSON.stringify({ kobo: latest.kobo, salt: latest.salt }));
  localStorage.removeItem(latestKey(ajoId, cycle, seat));
}

/** The bid to open: the sealed one, or else one of which no answer came. */
export const keptBid = (ajoId: string, cycle: number, seat: number) =>
  read<KeptBid>(bidKey(ajoId, cycle, seat)) ?? read<KeptBid>(latestKey(ajoId, cycle, seat));

function read<T>(key: string): T | undefined {
  const kept = localStorage.getItem(key);
  return kept ? (JSON.parse(kept) as T) : undefined;
}
