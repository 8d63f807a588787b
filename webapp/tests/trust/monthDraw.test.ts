import { describe, expect, it } from "vitest";
import type { MonthDraw } from "@/api/schema.gen";
import { checkMonth } from "@/features/trust/months/proof/check";
import { listDigest, needed, sampleOf, sampleSeed } from "@/features/trust/months/proof/sample";
import { listOf, proof, vectors } from "./monthProof";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

const wrong = async (change: Partial<MonthDraw>) =>
  (await checkMonth({ ...(await proof()), ...change })).filter(({ ok }) => !ok).map(({ name }) => name);

describe("the sample of a month", () => {
  it.each(vectors)("is that of the ledger: $positions.length payments, $marginPercent%", async (vector) => {
    const digest = await listDigest(listOf(vector));
    expect(hex(digest)).toBe(vector.digest);
    const seed = await sampleSeed(digest, vector.signature);
    expect(hex(seed)).toBe(vector.seed);
    expect(await sampleOf(listOf(vector), seed, vector.marginPercent)).toEqual(vector.sample);
  });

  it("is as large as the margin needs", () => {
    expect([needed(5), needed(2)]).toEqual([59, 149]);
  });

  it("is proven by its list and the round", async () => {
    expect(await wrong({})).toEqual([]);
    const { positions, sample, signature, namedAt, drawAt } = await proof();
    expect(await wrong({ positions: positions.slice(1) })).toEqual(["The sealed list", "The sample"]);
    expect(await wrong({ always: [] })).toEqual(["The sealed list", "The sample"]);
    expect(await wrong({ sample: sample.slice(1) })).toEqual(["The sample"]);
    expect(await wrong({ signature: signature.replace(/.$/, "3") })).toEqual(["The signature", "The sample"]);
    expect(await wrong({ namedAt: drawAt })).toEqual(["Sealed before the draw"]);
    expect(await wrong({ drawAt: namedAt, namedAt: "2023-01-01T00:00:00Z" })).toEqual(["The round"]);
    const { beacon } = await proof();
    expect(await wrong({ beacon: { ...beacon, genesis: beacon.genesis - 3 } })).toContain("The beacon");
  });
});
