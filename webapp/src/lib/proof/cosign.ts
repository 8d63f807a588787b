import { type Bytes, fromBase64, fromHex, fromText, join } from "./bytes";
import { isSigned } from "./note";

// C2SP cosignature/v1: a witness's Ed25519 signature of a checkpoint's text and the time.
const TIME_BYTES = 8;
const BLOB_BYTES = TIME_BYTES + 64;

/** What is signed of a checkpoint's text. */
export const cosigned = (text: string, seconds: number): Bytes => fromText(`cosignature/v1\ntime ${seconds}\n${text}`);

/** A cosignature as it is handed on: the time, and the signature. */
export function withTime(seconds: number, signature: Uint8Array): Bytes {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return join(time, signature);
}

/** Whether a key, in hex, signed a checkpoint's text. */
export async function isCosignedBy(publicKey: string, text: string, signature: string): Promise<boolean> {
  const [key, blob] = [fromHex(publicKey), fromBase64(signature)];
  if (key?.length !== 32 || blob?.length !== BLOB_BYTES) return false;
  const seconds = Number(new DataView(blob.buffer).getBigUint64(0));
  return Number.isSafeInteger(seconds) && isSigned(cosigned(text, seconds), blob.slice(TIME_BYTES), key);
}
