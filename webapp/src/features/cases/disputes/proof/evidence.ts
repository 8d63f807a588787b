import { getEvidence } from "@/api/disputes";
import { asFailure, Failure, failureText } from "@/api/failure";
import { getCheckpoint, getKeys } from "@/api/ledger";
import { firstSeen, keepFirst } from "@/lib/proof/first";
import { disputeTexts as t } from "../texts";

/** The page, or what this device saw first where the ledger does not continue it. */
export type Got = { page: Blob } | { first: string; refused: string };

async function fetched(id: string, first?: string): Promise<Got> {
  try {
    const page = await getEvidence(id, first);
    // Only this device knows that it gave one.
    const says = first === undefined || (await page.text()).includes(JSON.stringify(first));
    if (!says) throw new Failure({ kind: "broken", message: t.evidenceWithout });
    return { page };
  } catch (error) {
    const { status, field } = asFailure(error);
    if (first === undefined || status !== 409 || field !== "checkpoint") throw error;
    return { first, refused: failureText(error) };
  }
}

async function see(user: string, keys: { key: string; retired: boolean }[]) {
  const note = await getCheckpoint();
  for (const { key, retired } of keys) if (!retired) await keepFirst(user, note, key);
}

/** A dispute's evidence, with what this device saw first of the ledger. One that has seen nothing does so now. */
export async function evidenceOf(user: string, id: string): Promise<Got> {
  const { value: keys } = await getKeys();
  const first = await firstSeen(
    user,
    keys.map(({ key }) => key),
  );
  const got = await fetched(id, first);
  if (first === undefined) await see(user, keys).catch(() => undefined);
  return got;
}
