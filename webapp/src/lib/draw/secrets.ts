import { fromHex, fromText, sha256 } from "@/lib/proof/bytes";
import { randomHex } from "@/lib/random";
import { commitmentOf } from "./hashes";

// What this device alone knows until it is opened: its secret for a draw by phones, and its sealed bids.
const BID = fromText("adashi.ng/ajo-bid/v1\n");
const SECRET_BYTES = 32;
const SALT_BYTES = 16;

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const secretKey = (ajoId: string) => `adashi-ajo-secret:${ajoId}`;
const bidKey = (ajoId: string, cycle: number, seat: number) => `adashi-ajo-bid:${ajoId}:${cycle}:${seat}`;

/** The secret that this device keeps for an ajo's draw. */
export const keptSecret = (ajoId: string) => localStorage.getItem(secretKey(ajoId)) ?? undefined;

/** Commits to this device's secret for an ajo: the same one however often it is asked. */
export async function commitTo(ajoId: string, userId: string): Promise<string> {
  const secret = keptSecret(ajoId) ?? randomHex(SECRET_BYTES);
  localStorage.setItem(secretKey(ajoId), secret);
  return hexOf(await commitmentOf(ajoId, userId, secret));
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

/** Keeps a bid on this device, and answers what is told of it. */
export async function sealedBid(ajoId: string, cycle: number, seat: number, kobo: number): Promise<string> {
  const bid: KeptBid = { kobo, salt: randomHex(SALT_BYTES) };
  localStorage.setItem(bidKey(ajoId, cycle, seat), JSON.stringify(bid));
  return bidHash(cycle, seat, bid);
}

export function keptBid(ajoId: string, cycle: number, seat: number): KeptBid | undefined {
  const kept = localStorage.getItem(bidKey(ajoId, cycle, seat));
  return kept ? (JSON.parse(kept) as KeptBid) : undefined;
}
