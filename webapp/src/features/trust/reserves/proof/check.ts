import type { Movement, ProvenAccount, ReservesProof, ReservesRoot } from "@/api/schema.gen";
import { toKobo } from "@/lib/money";
import { equal, fromBase64, fromHex } from "@/lib/proof/bytes";
import { countedUnder, states } from "@/lib/proof/liabilities";
import { leadsTo, leafHash } from "@/lib/proof/merkle";
import { readCheckpoint, signerOf } from "@/lib/proof/note";
import { countedTexts } from "../texts";

const t = countedTexts.steps;

export interface Step {
  name: keyof typeof t;
  state: "passed" | "failed" | "open";
  text: string;
}

/** What the member knows by themselves. */
export interface Known {
  user: string;
  roots: ReservesRoot[];
  /** Their movements, the newest first, back to one with a balance that is not after the count. */
  movements: Movement[];
}

/** Whether a page of movements reaches back to one that says what the wallet held at a place in the ledger. */
export const reaches = (movements: Movement[], position: number) => balanceAt(movements, position) !== undefined;

const balanceAt = (movements: Movement[], position: number) =>
  movements.find((movement) => movement.position <= position && movement.balanceAfter !== undefined)?.balanceAfter;

const step = (name: Step["name"], passed: boolean, text: string): Step => ({
  name,
  state: passed ? "passed" : "failed",
  text: passed ? text : t[name].failed,
});

type File = ReservesProof["file"];

/** Whether an account that is said to be the member's has another's name; a card's does not say whose it is. */
function isAnothers({ account, kind }: ProvenAccount, user: string): boolean {
  if (kind === "WALLET") return account !== `wallet:${user}`;
  if (kind === "WALLET_HELD") return account !== `held:wallet:${user}`;
  return kind === "DEPOSIT" && !account.endsWith(`:${user}`);
}

/** The wallet's balance that the member saw, and the one that was counted, are the same; and the wallet is theirs. */
function seenStep({ file, accounts }: ReservesProof, { user, movements }: Known): Step {
  const seen = toKobo(balanceAt(movements, file.position) ?? 0);
  const wallet = `wallet:${user}`;
  const counted = Number(file.accounts.find(({ account }) => account === wallet)?.kobo ?? 0);
  const others = accounts.some((account) => isAnothers(account, user));
  return step("seen", seen === counted && !others, t.seen.passed(counted));
}

async function recordedStep(file: File): Promise<Step> {
  const { receipt } = file;
  if (!receipt) return { name: "recorded", state: "open", text: t.recorded.open };
  const record = fromBase64(receipt.record ?? "");
  const root = fromHex(receipt.root);
  const path = (receipt.path ?? []).map(fromHex);
  const checkpoint = readCheckpoint(receipt.checkpoint);
  if (!record || !root || !checkpoint || path.some((hash) => hash?.length !== 32)) return step("recorded", false, "");
  const leads = await leadsTo(
    root,
    await leafHash(record),
    receipt.position - 1,
    receipt.size,
    path as Uint8Array<ArrayBuffer>[],
  );
  const signer = await signerOf(checkpoint, receipt.key);
  const holds =
    leads && states(record, file) && checkpoint.size === receipt.size && equal(checkpoint.root, root) && signer;
  return step("recorded", Boolean(holds), t.recorded.passed(receipt.position));
}

/** Checks that what is a member's is counted, trusting nothing but arithmetic and what they know themselves. */
export async function checkCounted(proof: ReservesProof, known: Known): Promise<Step[]> {
  const { file } = proof;
  const read = known.roots.find(({ id }) => id === file.id);
  const same =
    read?.root === file.root && read.sum === file.sum && read.leaves === file.leaves && read.position === file.position;
  const steps = [step("root", same, t.root.passed(file.root)), seenStep(proof, known)];
  if (file.accounts.length > 0) {
    const counted = await countedUnder(file, read?.root ?? "");
    const parts = file.accounts.reduce((sum, account) => sum + account.parts.length, 0);
    steps.push(step("path", counted !== undefined, t.path.passed(parts)));
  }
  return [...steps, await recordedStep(file)];
}
