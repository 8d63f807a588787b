import { sha256 } from "@/lib/proof/bytes";
import { bytesOf } from "./hashes";
import type { Beacon } from "./proof";

/** drand's quicknet, which the League of Entropy runs. What a proof says of it must be this. */
const QUICKNET: Beacon = {
  name: "quicknet",
  chainHash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesis: 1692803367,
  period: 3,
  test: false,
};

const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** Whether a beacon is quicknet, whatever it is called. */
export const isQuicknet = ({ chainHash, publicKey, genesis, period }: Beacon) =>
  chainHash === QUICKNET.chainHash &&
  publicKey === QUICKNET.publicKey &&
  genesis === QUICKNET.genesis &&
  period === QUICKNET.period;

/** The latest round that has come at a time. */
export function roundAt({ genesis, period }: Beacon, time: string): number {
  return Math.floor((Math.floor(Date.parse(time) / 1000) - genesis) / period) + 1;
}

/** Whether a signature is the beacon's of a round. */
export async function isSigned(beacon: Beacon, round: number, signature: string): Promise<boolean> {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  const message = await sha256(number);
  // The curve is large and needed here alone.
  const { bls12_381 } = await import("@noble/curves/bls12-381.js");
  const { hash, verify } = bls12_381.shortSignatures;
  try {
    return verify(bytesOf(signature), hash(message, DST), bytesOf(beacon.publicKey));
  } catch {
    return false; // It is no point of the curve.
  }
}
