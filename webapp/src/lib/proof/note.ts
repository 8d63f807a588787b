import { type Bytes, equal, fromBase64, fromHex, fromText, join, sha256 } from "./bytes";

const ED25519 = 1;
const HASH_BYTES = 4;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

interface Key {
  name: string;
  hash: Bytes;
  key: Bytes;
}

/** A C2SP key, name+hash+base64, of which the hash is right; else undefined. */
async function readKey(text: string): Promise<Key | undefined> {
  const [name = "", hash16 = "", ...rest] = text.split("+");
  const hash = fromHex(hash16);
  const typed = fromBase64(rest.join("+"));
  if (!name || !hash || typed?.length !== KEY_BYTES + 1 || typed[0] !== ED25519) return undefined;
  const wanted = (await sha256(fromText(`${name}\n`), typed)).slice(0, HASH_BYTES);
  return equal(hash, wanted) ? { name, hash, key: typed.slice(1) } : undefined;
}

/** The signatures beneath the text that say they are this key's. */
function signaturesOf({ name, hash }: Key, lines: string[]): (Bytes | undefined)[] {
  const ours = `— ${name} `;
  return lines
    .filter((line) => line.startsWith(ours))
    .map((line) => fromBase64(line.slice(ours.length)))
    .filter((bytes) => bytes === undefined || equal(bytes.slice(0, HASH_BYTES), hash))
    .map((bytes) => (bytes?.length === HASH_BYTES + SIGNATURE_BYTES ? bytes.slice(HASH_BYTES) : undefined));
}

/** Whether a signature of a message is an Ed25519 key's. */
export async function isSigned(message: Bytes, signature: Bytes, key: Bytes): Promise<boolean> {
  let known: CryptoKey;
  try {
    known = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    // Older browsers know no Ed25519.
    const { verifyAsync } = await import("@noble/ed25519");
    return verifyAsync(signature, message, key).catch(() => false);
  }
  return crypto.subtle.verify({ name: "Ed25519" }, known, signature, message);
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Bytes;
  /** The text that is signed, and the lines of signatures beneath it. */
  text: string;
  signatures: string[];
}

/** A signed note's text, and the lines of signatures beneath it; undefined when it is none. */
function cutNote(note: string): { text: string; signatures: string[] } | undefined {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n")) return undefined;
  const signatures = note
    .slice(cut + 2)
    .trimEnd()
    .split("\n");
  return { text: note.slice(0, cut + 1), signatures };
}

/** Whether a key signed a text, and no signature that says it is the key's is wrong. */
async function isSignedBy(key: Key, { text, signatures: lines }: { text: string; signatures: string[] }) {
  const signatures = signaturesOf(key, lines);
  if (signatures.length === 0) return false;
  const message = join(fromText(text));
  for (const signature of signatures) {
    if (!signature || !(await isSigned(message, signature, key.key))) return false;
  }
  return true;
}

/** The ledger's signed note at the begin of an epoch: see the ledger's statements. */
export interface EpochStart {
  epoch: number;
  /** Records up to this one are those of the epoch before. */
  from: number;
  /** Of the tree of these records. */
  root: Bytes;
  /** The last checkpoint that no longer holds; of size 0 when all of them do. */
  lost: { epoch: number; size: number; root: Bytes };
  /** How many records are known to be lost. */
  givesUp: number;
  at: string;
  reason: string;
}

/** The statement that an epoch began, if a key signed it; else undefined. */
export async function readEpochStart(note: string, keyText: string): Promise<EpochStart | undefined> {
  const key = await readKey(keyText);
  const cut = cutNote(note);
  if (!key || !cut) return undefined;
  const [first = "", ...lines] = cut.text.split("\n");
  if (first !== `${key.name}/epoch-start` || !(await isSignedBy(key, cut))) return undefined;
  const values = new Map(lines.map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1)]));
  const part = (name: string, at: number) => values.get(name)?.split(" ")[at] ?? "";
  const number = (name: string, at: number) => Number(part(name, at) || Number.NaN);
  const [epoch, from, size, stream] = [number("epoch", 0), number("from", 0), number("lost", 1), number("stream", 0)];
  const [root, lostRoot] = [fromBase64(part("from", 1)), fromBase64(part("lost", 2))];
  if (![epoch, from, size, stream].every(Number.isSafeInteger) || !root || !lostRoot) return undefined;
  const lost = { epoch: Number(part("lost", 0).slice(1)), size, root: lostRoot };
  const givesUp = Math.max(size, stream, from) - from;
  return { epoch, from, root, lost, givesUp, at: values.get("at") ?? "", reason: values.get("reason") ?? "" };
}

/** The epoch that a checkpoint's origin names. */
export const epochOf = (origin: string) => Number(origin.slice(origin.lastIndexOf("/e") + 2));

/** The ledger that an origin names: its epochs are one ledger where their trees are of one history. */
export const ledgerOf = (origin: string) => origin.replace(/\/e\d+$/, "");

/** Reads a C2SP checkpoint, a signed note of origin, size and root; undefined when it is none. Nothing is verified. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const cut = cutNote(note);
  if (!cut) return undefined;
  const [origin, size = "", root64 = "", end, ...more] = cut.text.split("\n");
  const root = fromBase64(root64);
  if (!origin || !/^[1-9]\d*$/.test(size) || root?.length !== 32 || end !== "" || more.length > 0) return undefined;
  return { origin, size: Number(size), root, ...cut };
}

/** The key's name, when it signed the checkpoint and the checkpoint is of that key's ledger; else undefined. */
export async function signerOf(checkpoint: Checkpoint, keyText: string): Promise<string | undefined> {
  const key = await readKey(keyText);
  if (!key) return undefined;
  const ours =
    checkpoint.origin.startsWith(`${key.name}/e`) && /^\d+$/.test(checkpoint.origin.slice(key.name.length + 2));
  return ours && (await isSignedBy(key, checkpoint)) ? key.name : undefined;
}
