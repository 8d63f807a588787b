import type { MonthDraw } from "@/api/schema.gen";
import { isSigned } from "@/lib/draw/beacon";
import { beaconStep, roundStep, type Step } from "@/lib/draw/check";
import { drawTexts } from "@/lib/draw/texts";
import { equal, fromHex } from "@/lib/proof/bytes";
import { monthsTexts } from "../texts";
import { listDigest, sampleOf, sampleSeed } from "./sample";
import { fingerprint, isAttested } from "./statement";

const t = monthsTexts.steps;

const step = (name: string, ok: boolean, right: string, wrong: string): Step => ({
  name,
  ok,
  says: ok ? right : wrong,
});

const same = (one: number[], other: number[]) =>
  one.length === other.length && one.every((position, at) => position === other[at]);

/** Draws a month's sample again, here, and checks who signed what is attested. It is proven when all steps are ok. */
export async function checkMonth(draw: MonthDraw): Promise<Step[]> {
  const { positions, beacon, round, signature, namedAt, drawAt, sample, marginPercent } = draw;
  const digest = await listDigest(draw);
  const minutes = (Date.parse(drawAt) - Date.parse(namedAt)) / 60_000;
  const drawn = await sampleOf(draw, await sampleSeed(digest, signature), marginPercent);
  const { time, signature: signed } = drawTexts;
  const steps = [
    step(
      t.list.name,
      equal(digest, fromHex(draw.digest) ?? digest.slice(1)),
      t.list.ok(positions.length),
      t.list.failed,
    ),
    step(time.name, minutes > 0, time.ok(minutes), time.failed),
    beaconStep(beacon),
    roundStep(beacon, round, drawAt),
    step(signed.name, await isSigned(beacon, round, signature), signed.ok(round), signed.failed(round)),
    step(t.sample.name, same(sample, drawn), t.sample.ok(sample.length), t.sample.failed),
  ];
  const { attestation: said } = draw;
  if (said?.publicKey && said.device) {
    const right = await isAttested(draw);
    steps.push(
      step(t.attested.name, right, t.attested.ok(said, said.device, fingerprint(said.publicKey)), t.attested.failed),
    );
  }
  return steps;
}
