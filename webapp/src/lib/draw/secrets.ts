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

/** Whose bid for which turn it is: two members of one phone may share a seat. */
export interface BidPlace {
  ajoId: string;
  cycle: number;
  seat: number;
  userId: string;
}

/** Where earlier builds kept a bid, for all people of a device. */
const sharedKey = ({ ajoId, cycle, seat }: BidPlace) => `adashi-ajo-bid:${ajoId}:${cycle}:${seat}`;
const bidKey = (place: BidPlace) => `${sharedKey(place)}:${place.userId}`;

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

/** A bid as this device keeps it; `taken`: the server has said that it is the sealed one. */
interface Sealing extends KeptBid {
  commitment: string;
  taken?: boolean;
}

const sealings = (place: BidPlace) => read<Sealing[]>(bidKey(place)) ?? [];
const keepSealings = (place: BidPlace, bids: Sealing[]) => localStorage.setItem(bidKey(place), JSON.stringify(bids));

/** Keeps a bid on this device before those that may be sealed, and answers what is told of it. */
export async function sealedBid(place: BidPlace, kobo: number): Promise<string> {
  const bid: KeptBid = { kobo, salt: randomHex(SALT_BYTES) };
  const commitment = await bidHash(place.cycle, place.seat, bid);
  keepSealings(place, [{ ...bid, commitment }, ...sealings(place)]);
  return commitment;
}

/** The server took a bid: it is the sealed one, in place of all others. */
export function bidTaken(place: BidPlace, commitment: string) {
  const taken = sealings(place).find((bid) => bid.commitment === commitment);
  if (taken) keepSealings(place, [{ ...taken, taken: true }]);
}

/** The server refused a bid: those from before it stay. */
export function bidRefused(place: BidPlace, commitment: string) {
  keepSealings(
    place,
    sealings(place).filter((bid) => bid.commitment !== commitment || bid.taken),
  );
}

/** The bids one of which is the sealed one, the likeliest first: those without an answer, then the taken one. */
export function keptBids(place: BidPlace): KeptBid[] {
  const earlier = [read<KeptBid>(sharedKey(place)), read<KeptBid>(`${sharedKey(place)}:latest`)];
  return [...sealings(place), ...earlier.filter((bid) => bid !== undefined)].map(({ kobo, salt }) => ({ kobo, salt }));
}

function read<T>(key: string): T | undefined {
  const kept = localStorage.getItem(key);
  return kept ? (JSON.parse(kept) as T) : undefined;
}
