import type { Receipt } from "@/api/schema.gen";
import { equal, fromBase64, fromHex } from "@/lib/proof/bytes";
import { leadsTo, leafHash } from "@/lib/proof/merkle";
import { readCheckpoint, signerOf } from "@/lib/proof/note";
import { proofTexts } from "../texts";

const t = proofTexts.steps;

export { keepFirst } from "@/lib/proof/first";

export interface ProofStep {
  name: keyof typeof t;
  state: "passed" | "failed";
  text: string;
}

/** A receipt with all that its check needs; the only record of a ledger has no path. */
export type WholeReceipt = Receipt & Required<Pick<Receipt, "record" | "leafHash">>;

/** Nothing of it is withheld. */
export const isWhole = (receipt: Receipt): receipt is WholeReceipt =>
  receipt.record !== undefined && receipt.leafHash !== undefined;

/** The movement on the page, which the receipt must be about. */
interface Shown {
  position: number;
  leafHash: string;
}

const step = (name: ProofStep["name"], passed: boolean, text: string): ProofStep => ({
  name,
  state: passed ? "passed" : "failed",
  text: passed ? text : t[name].failed,
});

async function recordStep({ record, leafHash: leaf }: WholeReceipt): Promise<ProofStep> {
  const bytes = fromBase64(record);
  const wanted = fromHex(leaf);
  const same = bytes !== undefined && wanted !== undefined && equal(await leafHash(bytes), wanted);
  return step("record", same, t.record.passed);
}

async function pathStep(receipt: WholeReceipt): Promise<ProofStep> {
  const [root, leaf] = [fromHex(receipt.root), fromHex(receipt.leafHash)];
  const given = receipt.path ?? [];
  const path = given.map(fromHex).filter((hash) => hash?.length === 32) as Uint8Array<ArrayBuffer>[];
  const leads =
    root !== undefined &&
    leaf !== undefined &&
    path.length === given.length &&
    (await leadsTo(root, leaf, receipt.position - 1, receipt.size, path));
  return step("path", leads, t.path.passed(path.length));
}

/** Checks a receipt, trusting nothing but its arithmetic; throws only where the browser can't calculate. */
export async function verifyReceipt(receipt: WholeReceipt, shown: Shown): Promise<ProofStep[]> {
  const checkpoint = readCheckpoint(receipt.checkpoint);
  const root = fromHex(receipt.root);
  const agrees = checkpoint && root && checkpoint.size === receipt.size && equal(checkpoint.root, root);
  const signer = checkpoint && (await signerOf(checkpoint, receipt.key));
  return [
    step(
      "same",
      receipt.position === shown.position && receipt.leafHash === shown.leafHash,
      t.same.passed(receipt.position),
    ),
    await recordStep(receipt),
    await pathStep(receipt),
    step("checkpoint", Boolean(agrees), t.checkpoint.passed(receipt.size)),
    step("signature", signer !== undefined, t.signature.passed(signer ?? "")),
  ];
}
