import { readFileSync } from "node:fs";
import type { MonthDraw } from "@/api/schema.gen";
import { listDigest, sampleOf, sampleSeed } from "@/features/trust/months/proof/sample";
import { proofOf } from "../kit/draw";

interface Vector {
  place: string;
  month: string;
  position: number;
  positions: number[];
  always: number[];
  marginPercent: number;
  signature: string;
  digest: string;
  seed: string;
  sample: number[];
}

/** The published examples, which the ledger's test reads too. */
export const vectors = JSON.parse(readFileSync("../ledger/domain/sampling/testdata/vectors.json", "utf8")) as Vector[];

export const listOf = ({ place, month, position, positions, always }: Vector) => ({
  id: place,
  month,
  position,
  positions,
  always,
});

/** A whole proof, by a round that the network published. */
export async function proof(): Promise<MonthDraw> {
  const vector = vectors[3] as Vector;
  const { beacon, round, signature, drawAt } = proofOf(5);
  if (!beacon || !round || !signature) throw new Error("the vectors have a round");
  const list = listOf(vector);
  const sample = await sampleOf(list, await sampleSeed(await listDigest(list), signature), 5);
  const namedAt = new Date(Date.parse(drawAt) - 300_000).toISOString();
  return {
    ...list,
    version: "adashi.ng/month-sample/v1",
    ajo: false,
    name: "Balogun Traders",
    label: "October 2026",
    digest: vector.digest,
    beacon,
    round,
    signature,
    namedAt,
    drawAt,
    marginPercent: 5,
    sample,
  };
}
