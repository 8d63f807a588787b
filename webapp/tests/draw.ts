import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { DrawProof, Reveal, Seat } from "@/lib/draw/proof";

/** The published examples, which the ledger's test reads too. */
export const vectors = JSON.parse(readFileSync("../ledger/domain/draw/testdata/vectors.json", "utf8")) as {
  chainHash: string;
  publicKey: string;
  genesis: number;
  period: number;
  round: number;
  signature: string;
  ajoId: string;
  termsHash: string;
  vectors: { seats: number; rosterDigest: string; seed: string; order: number[] }[];
};

const hash = (text: string | Buffer) => createHash("sha256").update(text).digest();
const short = (text: string) => hash(text).subarray(0, 16).toString("hex");

const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The list of the vectors: every fifth seat is two halves. */
export function roster(n: number): Seat[] {
  return Array.from({ length: n }, (_, at) => at + 1).map((seat) => ({
    seat,
    holders: (seat % 5 === 0 ? [0, 1] : [0]).map((k) => ({
      userId: uuid(short(`user${seat}.${k}`)),
      halves: seat % 5 === 0 ? 1 : 2,
      nonce: short(`nonce${seat}.${k}`),
    })),
  }));
}

const { chainHash, publicKey, genesis, period, round, signature, termsHash } = vectors;
const ajoId = uuid(vectors.ajoId);
const second = (at: number) => new Date(at * 1000).toISOString();

/** The proof of the draw of so many seats by quicknet. */
export function proofOf(seats: number): DrawProof {
  const vector = vectors.vectors.find((one) => one.seats === seats);
  if (!vector) throw new Error("no such vector");
  const drawAt = genesis + (round - 1) * period + 1;
  return {
    version: "adashi.ng/ajo-draw/v1",
    ajoId,
    name: "Market women of Balogun",
    termsHash,
    closedAt: second(drawAt - 1800),
    drawAt: second(drawAt),
    seats: roster(seats),
    rosterDigest: vector.rosterDigest,
    source: "BEACON",
    beacon: { name: "quicknet", chainHash, publicKey, genesis, period, test: false },
    round,
    signature,
    reveals: null,
    order: [...vector.order],
  };
}

/** What the phone of each holder committed to and revealed. */
export function revealsOf(seats: Seat[]): Reveal[] {
  return seats.flatMap(({ holders }) =>
    holders.map(({ userId }) => {
      const secret = hash(`secret of ${userId}`);
      const bytes = [vectors.ajoId, userId.replaceAll("-", "")].map((id) => Buffer.from(id, "hex"));
      const commitment = hash(Buffer.concat([Buffer.from("adashi.ng/ajo-phone/v1\n"), ...bytes, secret]));
      return { userId, commitment: commitment.toString("hex"), secret: secret.toString("hex") };
    }),
  );
}
