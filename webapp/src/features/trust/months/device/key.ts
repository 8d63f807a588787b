import { getAttestKeys, registerAttestKey } from "@/api/months";
import type { AttestDevice, AttestMonthRequest, MonthDraw } from "@/api/schema.gen";
import { inTurn } from "@/lib/inTurn";
import { inBrowser, type Kept } from "@/lib/kept";
import { fromText, toHex } from "@/lib/proof/bytes";
import { keyStatement, statementOf } from "../proof/statement";

/** This device's key that signs for one person. The private half never leaves the browser. */
export interface Signing {
  pair: CryptoKeyPair;
  /** Hex. */
  publicKey: string;
}

const ALGORITHM = { name: "Ed25519" };

export const kept: Kept<Signing> = inBrowser("adashi-attest", "signing");

/** What this device is, as far as its browser tells. */
export function deviceKind({ userAgent = "", maxTouchPoints = 0 } = globalThis.navigator): AttestDevice {
  if (/iPad|Tablet/.test(userAgent) || (/Android/.test(userAgent) && !/Mobile/.test(userAgent))) return "TABLET";
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return "TABLET";
  return /Mobi|iPhone/.test(userAgent) ? "PHONE" : "COMPUTER";
}

async function signed({ pair }: Signing, text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.sign(ALGORITHM, pair.privateKey, fromText(text))));
}

async function made(): Promise<Signing> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"])) as CryptoKeyPair;
  return { pair, publicKey: toHex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))) };
}

/** This device's key for somebody, registered as theirs. It is made, and kept, before the ledger hears of it. */
export function ready(user: string, where: Kept<Signing> = kept): Promise<Signing> {
  // None makes a second key.
  return inTurn("adashi-attest", async () => {
    const { value } = await getAttestKeys();
    const before = await where.get(user);
    const known = value.keys.find(({ publicKey }) => publicKey === before?.publicKey);
    if (before && known && !known.revoked) return before;
    const signing = before && !known ? before : await made();
    await where.put(user, signing);
    const device = deviceKind();
    const { publicKey } = signing;
    await registerAttestKey({
      publicKey,
      device,
      signature: await signed(signing, keyStatement(user, publicKey, device)),
    });
    return signing;
  });
}

/** Signs a month as it is shown here. Throws where there is nothing to sign, or nothing of this person's. */
export async function signMonth(signing: Signing, draw: MonthDraw, user: string): Promise<AttestMonthRequest> {
  const text = await statementOf(draw, signing.publicKey);
  if (!text || !draw.attestation || draw.attestation.by !== user) throw new Error("nothing to sign");
  const { month, attestation } = draw;
  return {
    month,
    position: attestation.position,
    publicKey: signing.publicKey,
    signature: await signed(signing, text),
  };
}

/** Whether this device has a key for somebody. */
export const isReady = async (user: string): Promise<boolean> => (await kept.get(user)) !== undefined;
