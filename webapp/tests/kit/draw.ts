import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { DrawProof, Holder, Reveal, Seat } from "@/lib/draw/proof";

const read = (name: string) => JSON.parse(readFileSync(`../ledger/domain/draw/testdata/${name}.json`, "utf8"));

/** The published examples, which the ledger's test reads too. */
export const vectors = read("vectors") as {
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

/** Those of version 2. */
export const vectors2 = read("vectors2") as {
  salt: string;
  vectors: { seats: number; pseudonyms: string[][]; rosterDigest: string; seed: string; order: number[] }[];
  phones: {
    seats: number;
    silent: number[];
    firstCommitment: string;
    rosterDigest: string;
    seed: string;
    order: number[];
  }[];
};

/** Those of phones of version 3. */
export const vectors3 = read("vectors3") as Pick<typeof vectors2, "phones">;

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

/** The same list with pseudonyms in place of user ids. */
export function pseudonymous(seats: Seat[]): Seat[] {
  const named = ({ userId = "", ...rest }: Holder): Holder => {
    const mac = createHmac("sha256", Buffer.from(vectors2.salt, "hex"));
    const ids = Buffer.from(vectors.ajoId + userId.replaceAll("-", ""), "hex");
    return { ...rest, pseudonym: mac.update("adashi.ng/ajo-pseudonym/v2\n").update(ids).digest("hex").slice(0, 32) };
  };
  return seats.map(({ seat, holders }) => ({ seat, holders: holders.map(named) }));
}

/** The proof of the draw of so many seats by quicknet, of version 2. */
export function proofOf2(seats: number): DrawProof {
  const vector = vectors2.vectors.find((one) => one.seats === seats);
  if (!vector) throw new Error("no such vector");
  const { rosterDigest, order } = vector;
  const list = pseudonymous(roster(seats));
  return { ...proofOf(seats), version: "adashi.ng/ajo-draw/v2", seats: list, rosterDigest, order: [...order] };
}

/** The proof of a draw by phones of version 3, as of version 2, with the beacon's round that came half a minute later. */
export function proofOfPhones3(at: number): DrawProof {
  const { beacon, round, signature, closedAt, drawAt } = proofOf(5);
  const until = Date.parse(drawAt) / 1000 - 1 - 30;
  const times = { closedAt: second(Date.parse(closedAt) / 1000 - 30), drawAt: second(until) };
  return {
    ...proofOfPhones2(at, vectors3.phones[at]),
    version: "adashi.ng/ajo-draw/v3",
    beacon,
    round,
    signature,
    ...times,
  };
}

/** The proof of a draw by phones of version 2, in which one holder of each silent seat withheld the secret. */
export function proofOfPhones2(at: number, vector = vectors2.phones[at]): DrawProof {
  if (!vector) throw new Error("no such vector");
  const seats = pseudonymous(roster(vector.seats));
  const reveals = seats.flatMap(({ seat, holders }) =>
    holders.map(({ pseudonym, nonce }, k): Reveal => {
      const secret = hash(`secret${seat}.${k}`);
      const bytes = Buffer.concat([Buffer.from(vectors.ajoId + nonce, "hex"), secret]);
      const commitment = hash(Buffer.concat([Buffer.from("adashi.ng/ajo-phone/v2\n"), bytes])).toString("hex");
      return { pseudonym, commitment, secret: k === 0 && vector.silent.includes(seat) ? null : secret.toString("hex") };
    }),
  );
  const { rosterDigest, order } = vector;
  const base: DrawProof = { ...proofOf2(5), source: "PHONES", beacon: null, round: null, signature: null };
  return { ...base, seats, rosterDigest, order: [...order], reveals };
}

/** What the phone of each holder committed to and revealed. */
export function revealsOf(seats: Seat[]): Reveal[] {
  return seats.flatMap(({ holders }) =>
    holders.map(({ userId = "" }) => {
      const secret = hash(`secret of ${userId}`);
      const bytes = [vectors.ajoId, userId.replaceAll("-", "")].map((id) => Buffer.from(id, "hex"));
      const commitment = hash(Buffer.concat([Buffer.from("adashi.ng/ajo-phone/v1\n"), ...bytes, secret]));
      return { userId, commitment: commitment.toString("hex"), secret: secret.toString("hex") };
    }),
  );
}
