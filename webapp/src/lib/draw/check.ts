import { equal } from "@/lib/proof/bytes";
import { isQuicknet, isSigned, roundAt } from "./beacon";
import {
  areKept,
  areOfHolders,
  bytesOf,
  isWhole,
  orderOf,
  orderOfPhones,
  rosterDigest,
  seedOf,
  seedOfPhones,
} from "./hashes";
import { type Beacon, type DrawProof, type Reveal, readProof } from "./proof";
import { drawTexts as t } from "./texts";

/** One thing that was checked, and what it came to, in a sentence. */
export interface Step {
  name: string;
  ok: boolean;
  says: string;
}

const step = (name: string, ok: boolean, right: string, wrong: string): Step => ({
  name,
  ok,
  says: ok ? right : wrong,
});

const same = (one: number[], other: number[]) =>
  one.length === other.length && one.every((seat, at) => seat === other[at]);

function timeStep({ closedAt, drawAt }: DrawProof): Step {
  const minutes = (Date.parse(drawAt) - Date.parse(closedAt)) / 60_000;
  return step(t.time.name, minutes > 0, t.time.ok(minutes), t.time.failed);
}

export function beaconStep(beacon: Beacon): Step {
  if (beacon.test) return { name: t.beacon.name, ok: !isQuicknet(beacon), says: t.beacon.test };
  return step(t.beacon.name, isQuicknet(beacon), t.beacon.ok, t.beacon.failed);
}

/** A round that draws together with phones comes so long after their last moment to reveal. */
const AFTER_REVEALS_MS = 30_000;

export function roundStep(beacon: Beacon, round: number, drawAt: string): Step {
  const wanted = roundAt(beacon, drawAt);
  return step(t.round.name, round === wanted, t.round.ok(round), t.round.failed(round, wanted));
}

async function phonesStep(proof: DrawProof, reveals: Reveal[]): Promise<Step> {
  const revealed = reveals.filter(({ secret }) => secret).length;
  if (revealed === 0) return { name: t.phones.name, ok: false, says: t.phones.none };
  const kept = areOfHolders(proof.seats, reveals) && (await areKept(proof, reveals));
  return step(t.phones.name, kept, t.phones.ok(revealed, reveals.length), t.phones.failed);
}

const orderStep = (order: number[], drawn: number[]) =>
  step(t.order.name, same(order, drawn), t.order.ok, t.order.failed);

/** Draws again from what a proof holds, here, and answers what was checked. The draw is proven when all steps are ok. */
export async function checkDraw(value: unknown): Promise<Step[]> {
  const proof = readProof(value);
  if (!proof) return [{ name: t.form.name, ok: false, says: t.form.failed }];
  const { version, seats, drawAt, order } = proof;
  const form = { name: t.form.name, ok: true, says: t.form.ok };
  if (!isWhole(seats)) return [form, { name: t.list.name, ok: false, says: t.list.unwhole }];
  const digest = await rosterDigest(proof);
  const list = step(t.list.name, equal(digest, bytesOf(proof.rosterDigest)), t.list.ok(seats.length), t.list.failed);
  const first = [form, list, timeStep(proof)];
  const { beacon, round, signature, reveals } = proof;
  const byPhones = proof.source === "PHONES";
  const steps: Step[] = [...first];
  if (beacon && round && signature) {
    const isRight = await isSigned(beacon, round, signature);
    const from = byPhones ? new Date(Date.parse(drawAt) + AFTER_REVEALS_MS).toISOString() : drawAt;
    steps.push(
      beaconStep(beacon),
      roundStep(beacon, round, from),
      step(t.signature.name, isRight, t.signature.ok(round), t.signature.failed(round)),
    );
  }
  const randomness = bytesOf(signature ?? "");
  if (!byPhones)
    return [...steps, orderStep(order, await orderOf(await seedOf(version, digest, randomness), seats.length))];
  const given = reveals ?? [];
  const drawn = await orderOfPhones(await seedOfPhones(version, digest, given, randomness), seats, given);
  return [...steps, await phonesStep(proof, given), orderStep(order, drawn)];
}
