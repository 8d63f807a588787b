import { getCheckpoint, getConsistency, getEpochs, getKeys } from "@/api/ledger";
import { cosign, registerWitness, revokeWitness } from "@/api/witness";
import { inTurn } from "@/lib/inTurn";
import { present } from "@/lib/present";
import { equal, fromBase64, toBase64, toHex } from "@/lib/proof/bytes";
import { cosigned, withTime } from "@/lib/proof/cosign";
import { partedAt } from "@/lib/proof/epochs";
import { keepFirst } from "@/lib/proof/first";
import { continues, type Tree } from "@/lib/proof/merkle";
import { type Checkpoint, epochOf, ledgerOf, readCheckpoint, readEpochStart, signerOf } from "@/lib/proof/note";
import { type Evidence, inBrowser, type Kept, type Watching } from "./store";

const ALGORITHM = { name: "Ed25519" };

const ALONE = "adashi-witness";

/** Has this device watch: makes its key, and keeps it before the ledger hears of it. */
export function begin(user: string, kept: Kept = inBrowser) {
  return inTurn(ALONE, async () => {
    const before = await kept.get(user);
    const pair =
      before?.pair ?? ((await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"])) as CryptoKeyPair);
    const publicKey = toHex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
    if (!before) await kept.put(user, { pair, publicKey });
    try {
      return await registerWitness(publicKey);
    } catch (error) {
      if (!before) await kept.remove(user);
      throw error;
    }
  });
}

/** Ends it, on this device or another. */
export async function end(user: string, publicKey: string, kept: Kept = inBrowser) {
  const answer = await revokeWitness(publicKey);
  await forget(user, publicKey, kept);
  return answer;
}

/** This device lets go of its key, and of what it saw. */
export const forget = (user: string, publicKey: string, kept: Kept = inBrowser) =>
  inTurn(ALONE, async () => {
    if ((await kept.get(user))?.publicKey === publicKey) await kept.remove(user);
  });

/** Which of the ledger's keys signed a checkpoint. */
async function keyOf(checkpoint: Checkpoint, keys: { key: string; retired: boolean }[]): Promise<string | undefined> {
  const signed = await Promise.all(
    keys.map(async ({ key, retired }) => !retired && (await signerOf(checkpoint, key)) !== undefined),
  );
  return keys[signed.indexOf(true)]?.key;
}

interface Compared {
  holds: boolean;
  /** That of the ledger's which signed what it shows now. */
  key?: string;
  proof: string[];
  statements: string[];
}

/** Whether a checkpoint continues an earlier one: the last that this device signed, or the first that it saw. */
async function follows(before: Checkpoint | undefined, now: Checkpoint): Promise<Compared> {
  const { value: keys } = await getKeys();
  const key = await keyOf(now, keys);
  const verdict = (holds: boolean, proof: string[] = [], statements: string[] = []) => ({
    holds,
    key,
    proof,
    statements,
  });
  if (!key) return verdict(false);
  if (!before) return verdict(true);
  const [was, is] = [epochOf(before.origin), epochOf(now.origin)];
  if (ledgerOf(before.origin) !== ledgerOf(now.origin) || is < was) return verdict(false);
  if (is > was) {
    const { value: told } = await getEpochs();
    const begun = await Promise.all(told.flatMap(({ note }) => keys.map(({ key }) => readEpochStart(note, key))));
    const statements = told.map(({ note }) => note);
    const signed = begun.filter((one) => one !== undefined);
    const last = partedAt(before, now, signed);
    if (!last) return verdict(false, [], statements);
    return verdict(...(await grows(last, now)), statements);
  }
  return verdict(...(await grows(before, now)));
}

/** Whether a tree only grew into another, and the proof. Every tree continues the empty one. */
async function grows(before: Tree, now: Tree): Promise<[boolean, string[]]> {
  if (before.size === 0) return [true, []];
  if (before.size > now.size) return [false, []];
  if (before.size === now.size) return [equal(before.root, now.root), []];
  const { value } = await getConsistency(before.size, now.size);
  const hashes = value.hashes.map(fromBase64).filter((hash) => hash !== undefined);
  return [hashes.length === value.hashes.length && (await continues(before, now, hashes)), value.hashes];
}

/** Signs a checkpoint that is already kept as the last, and hands the signature in. */
async function sign(watching: Watching, { text }: Checkpoint) {
  const seconds = Math.floor(present().getTime() / 1000);
  const signature = await crypto.subtle.sign(ALGORITHM, watching.pair.privateKey, cosigned(text, seconds));
  await cosign({
    publicKey: watching.publicKey,
    checkpoint: text,
    signature: toBase64(withTime(seconds, new Uint8Array(signature))),
  });
}

/**
 * One look at the ledger: what it shows now is signed only when it continues what this device signed last. What does
 * not is kept as evidence, and nothing is signed any more. Answers how this device stands; undefined where it does not
 * watch. Throws where the ledger can't be read, or does not take the signature.
 */
export function look(user: string, kept: Kept = inBrowser): Promise<Watching | undefined> {
  return inTurn(ALONE, async () => {
    const watching = await kept.get(user);
    if (!watching || watching.alarm) return watching;
    const shown = await getCheckpoint();
    const now = readCheckpoint(shown);
    if (!now) throw new Error("no checkpoint");
    const before = readCheckpoint(watching.last ?? "");
    const { holds, key = "", proof, statements } = await follows(before, now);
    if (!holds) {
      const alarm: Evidence = {
        device: watching.publicKey,
        before: watching.last ?? "",
        shown,
        proof,
        statements,
        at: present().toISOString(),
      };
      const stopped = { ...watching, alarm };
      await kept.put(user, stopped);
      return stopped;
    }
    await keepFirst(user, shown, key);
    if (watching.signed?.size === now.size && watching.last === shown) return watching;
    const about = { ...watching, last: shown };
    await kept.put(user, about);
    await sign(about, now);
    const signed = { ...about, signed: { size: now.size, at: present().getTime() } };
    await kept.put(user, signed);
    return signed;
  });
}

/** What shows that the ledger does not continue what this device saw first; undefined where it does. */
export async function partedFrom(first: string): Promise<Evidence | undefined> {
  const shown = await getCheckpoint();
  const [before, now] = [readCheckpoint(first), readCheckpoint(shown)];
  const { holds, proof, statements } = now ? await follows(before, now) : { holds: false, proof: [], statements: [] };
  return holds ? undefined : { device: "", before: first, shown, proof, statements, at: present().toISOString() };
}
