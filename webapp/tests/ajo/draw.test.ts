import { describe, expect, it } from "vitest";
import { checkDraw } from "@/lib/draw/check";
import { bytesOf, commitmentOf, orderOf, orderOfPhones, rosterDigest, seedOf, seedOfPhones } from "@/lib/draw/hashes";
import type { DrawProof } from "@/lib/draw/proof";
import {
  proofOf,
  proofOf2,
  proofOfPhones2,
  proofOfPhones3,
  revealsOf,
  roster,
  vectors,
  vectors2,
  vectors3,
} from "../kit/draw";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The steps that failed. */
const failures = async (proof: unknown) => (await checkDraw(proof)).filter(({ ok }) => !ok).map(({ name }) => name);

/** The text with the last bit of the digit at a place changed. */
const flip = (text: string, at: number) =>
  text.slice(0, at) + (Number.parseInt(text[at] ?? "", 16) ^ 1).toString(16) + text.slice(at + 1);

type Change = (proof: DrawProof) => void;

async function changed(change: Change, seats = 5) {
  const proof = proofOf(seats);
  change(proof);
  return failures(proof);
}

describe("the published vectors", () => {
  it.each(vectors.vectors)("$seats seats", async ({ seats, rosterDigest: digest, seed, order }) => {
    const sealed = await rosterDigest(proofOf(seats));
    expect(hex(sealed)).toBe(digest);
    const drawn = await seedOf("adashi.ng/ajo-draw/v1", sealed, bytesOf(vectors.signature));
    expect(hex(drawn)).toBe(seed);
    expect(await orderOf(drawn, seats)).toEqual(order);
    const steps = await checkDraw(proofOf(seats));
    expect(steps.map(({ name }) => name)).toEqual([
      "The file",
      "The sealed list",
      "Sealed before the draw",
      "The beacon",
      "The round",
      "The signature",
      "The order",
    ]);
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe("a proof with one thing changed", () => {
  it("is refused at any byte of the signature", async () => {
    for (let at = 1; at < vectors.signature.length; at += 13) {
      const found = await changed((proof) => {
        proof.signature = flip(vectors.signature, at);
      });
      expect(found).toContain("The signature");
      expect(found).toContain("The order");
    }
  });

  it("is refused at any byte of the list and the terms", async () => {
    for (let at = 0; at < 32; at++) {
      const holder = (proof: DrawProof) => proof.seats[at % 5]?.holders.at(-1) ?? { userId: "", nonce: "" };
      const changes: Change[] = [
        (proof) => {
          holder(proof).nonce = flip(holder(proof).nonce, at);
        },
        (proof) => {
          const { userId = "" } = holder(proof);
          const digits = userId.replaceAll("-", "");
          holder(proof).userId = flip(digits, at);
        },
        (proof) => {
          proof.termsHash = flip(proof.termsHash, at * 2);
        },
        (proof) => {
          proof.ajoId = flip(proof.ajoId.replaceAll("-", ""), at);
        },
        (proof) => {
          proof.rosterDigest = flip(proof.rosterDigest, at * 2);
        },
      ];
      for (const change of changes) expect(await failures(with_(change))).toContain("The sealed list");
    }
  });

  const with_ = (change: Change) => {
    const proof = proofOf(5);
    change(proof);
    // The pairing takes long, and the list is what is looked at.
    return { ...proof, source: "PHONES", reveals: revealsOf(proof.seats) };
  };

  const name = (text: string, change: Change, ...steps: string[]): [string, Change, string[]] => [text, change, steps];

  it.each([
    name("two turns", ({ order }) => order.reverse(), "The order"),
    name("a turn twice", (proof) => proof.order.fill(1), "The order"),
    name("a turn too few", (proof) => proof.order.pop(), "The order"),
    name(
      "the round",
      (proof) => {
        proof.round = vectors.round + 1;
      },
      "The round",
      "The signature",
    ),
    name(
      "when it was drawn",
      (proof) => {
        proof.drawAt = new Date(Date.parse(proof.drawAt) + 3000).toISOString();
      },
      "The round",
    ),
    name(
      "when the list was closed",
      (proof) => {
        proof.closedAt = proof.drawAt;
      },
      "Sealed before the draw",
    ),
    name(
      "two nonces",
      ({ seats: [one, two] }) => {
        const [a, b] = [one?.holders[0], two?.holders[0]];
        if (a && b) [a.nonce, b.nonce] = [b.nonce, a.nonce];
      },
      "The sealed list",
      "The order",
    ),
    name(
      "the beacon's key",
      (proof) => {
        if (proof.beacon) proof.beacon.publicKey = flip(proof.beacon.publicKey, 191);
      },
      "The beacon",
      "The signature",
    ),
    name(
      "the beacon's chain",
      (proof) => {
        if (proof.beacon) proof.beacon.chainHash = flip(proof.beacon.chainHash, 0);
      },
      "The beacon",
    ),
    name(
      "the beacon's period",
      (proof) => {
        if (proof.beacon) proof.beacon.period = 30;
      },
      "The beacon",
      "The round",
    ),
    name("a seat", ({ seats }) => seats.pop(), "The sealed list", "The order"),
    name("a seat's number", ({ seats }) => Object.assign(seats[1] ?? {}, { seat: 7 }), "The sealed list"),
    name("half a seat", ({ seats }) => seats[4]?.holders.pop(), "The sealed list"),
  ])("is refused: %s", async (_, change, steps) => {
    expect(await changed(change)).toEqual(steps);
  });

  it("says of a test beacon that it is one, and that quicknet is none", async () => {
    const proof = proofOf(2);
    const test = (
      await checkDraw({ ...proof, beacon: { ...proof.beacon, chainHash: "00".repeat(32), test: true } })
    )[3];
    expect(test).toMatchObject({ ok: true, says: expect.stringContaining("it proves nothing") });
    expect(await failures({ ...proof, beacon: { ...proof.beacon, test: true } })).toEqual(["The beacon"]);
  });
});

const nameless = () =>
  roster(2).map(({ seat, holders }) => ({ seat, holders: holders.map(({ halves, nonce }) => ({ halves, nonce })) }));

const bothNames = () =>
  proofOf2(2).seats.map((seat, at) => ({ ...seat, holders: [{ ...roster(2)[at]?.holders[0], ...seat.holders[0] }] }));

it.each([
  ["nothing", undefined],
  ["a number", 7],
  ["no object", []],
  ["another version", { ...proofOf(2), version: "adashi.ng/ajo-draw/v4" }],
  ["version 3 of a beacon alone", { ...proofOf2(2), version: "adashi.ng/ajo-draw/v3" }],
  ["no round in version 3", { ...proofOfPhones3(0), signature: null }],
  ["user ids in version 2", { ...proofOf(2), version: "adashi.ng/ajo-draw/v2" }],
  ["pseudonyms in version 1", { ...proofOf2(2), version: "adashi.ng/ajo-draw/v1" }],
  ["no names in version 1", { ...proofOf(2), seats: nameless() }],
  ["both names of a holder", { ...proofOf2(2), seats: bothNames() }],
  ["user ids of phones in version 2", { ...proofOfPhones2(0), reveals: revealsOf(roster(7)) }],
  ["no signature", { ...proofOf(2), signature: null }],
  ["a long signature", { ...proofOf(2), signature: `${vectors.signature}00` }],
  ["a text for a round", { ...proofOf(2), round: "123" }],
  ["no seats", { ...proofOf(2), seats: [] }],
  ["no reveals of phones", { ...proofOf(2), source: "PHONES" }],
  ["three halves", { ...proofOf(2), seats: [{ seat: 1, holders: [{ ...roster(1)[0]?.holders[0], halves: 3 }] }] }],
])("a file with %s is no proof", async (_, value) => {
  expect(await failures(value)).toEqual(["The file"]);
});

const NONE = new Uint8Array();

describe("a draw from phones", () => {
  const seats = roster(7);
  const reveals = revealsOf(seats);
  const base = { ...proofOf(5), termsHash: `07${"00".repeat(31)}`, seats, source: "PHONES", beacon: null } as DrawProof;

  async function drawn(given = reveals): Promise<DrawProof> {
    const digest = await rosterDigest(base);
    const order = await orderOfPhones(await seedOfPhones(base.version, digest, given, NONE), seats, given);
    return { ...base, rosterDigest: hex(digest), order, reveals: given };
  }

  it("comes to the ledger's own seed", async () => {
    // As TestPhonesDrawWhatTheyCommittedTo of the ledger has it.
    const seed = await seedOfPhones(base.version, await rosterDigest(base), [...reveals].reverse(), NONE);
    expect(hex(seed)).toBe("dc964b2bc9c1c6080fa96208b19c3be8a3c6523c3204fd6ceff87caca2315bf5");
    expect(await failures(await drawn())).toEqual([]);
  });

  it("puts last who withheld the secret", async () => {
    const silent = reveals.map((one, at) => (at === 0 ? { ...one, secret: null } : one));
    const proof = await drawn(silent);
    expect(proof.order.at(-1)).toBe(1);
    expect(await failures(proof)).toEqual([]);
  });

  it("refuses a secret that was not committed to, and a phone that holds no seat", async () => {
    const proof = await drawn();
    const lie = reveals.map((one, at) => (at === 3 ? { ...one, secret: flip(one.secret ?? "", 63) } : one));
    expect(await failures({ ...proof, reveals: lie })).toContain("The phones' secrets");
    expect(await failures({ ...proof, reveals: reveals.slice(1) })).toContain("The phones' secrets");
    const stranger = { userId: "00000000-0000-0000-0000-000000000001", commitment: "00".repeat(32) };
    expect(await failures({ ...proof, reveals: [...reveals, stranger] })).toContain("The phones' secrets");
    const none = reveals.map((one) => ({ ...one, secret: null }));
    expect(await failures({ ...proof, reveals: none })).toContain("The phones' secrets");
  });
});

describe("the published vectors of version 2", () => {
  it.each(vectors2.vectors)("$seats seats", async ({ seats, pseudonyms, rosterDigest: digest, seed, order }) => {
    const proof = proofOf2(seats);
    expect(proof.seats.slice(0, 6).map(({ holders }) => holders.map(({ pseudonym }) => pseudonym))).toEqual(pseudonyms);
    const sealed = await rosterDigest(proof);
    expect(hex(sealed)).toBe(digest);
    const drawn = await seedOf(proof.version, sealed, bytesOf(vectors.signature));
    expect(hex(drawn)).toBe(seed);
    expect(await orderOf(drawn, seats)).toEqual(order);
    expect(await failures(proof)).toEqual([]);
  });

  it.each(vectors2.phones.map((vector, at) => ({ ...vector, at })))(
    "phones, of which $silent are silent",
    async (vector) => {
      const proof = proofOfPhones2(vector.at);
      const [first] = proof.reveals ?? [];
      expect(first?.commitment).toBe(vector.firstCommitment);
      const nonce = proof.seats[0]?.holders[0]?.nonce ?? "";
      if (first?.secret) expect(hex(await commitmentOf(proof.ajoId, nonce, first.secret))).toBe(first.commitment);
      expect(hex(await seedOfPhones(proof.version, await rosterDigest(proof), proof.reveals ?? [], NONE))).toBe(
        vector.seed,
      );
      expect(await failures(proof)).toEqual([]);
    },
  );

  it.each(vectors3.phones.map((vector, at) => ({ ...vector, at })))(
    "phones with a round, of which $silent are silent",
    async ({ at, seed }) => {
      const proof = proofOfPhones3(at);
      const signature = bytesOf(vectors.signature);
      const drawn = await seedOfPhones(proof.version, await rosterDigest(proof), proof.reveals ?? [], signature);
      expect(hex(drawn)).toBe(seed);
      expect(await failures(proof)).toEqual([]);
      expect(await failures({ ...proof, version: "adashi.ng/ajo-draw/v2" })).toContain("The order");
      const early = new Date(Date.parse(proof.drawAt) + 3000).toISOString();
      expect(await failures({ ...proof, drawAt: early })).toEqual(["The round"]);
      expect(await failures({ ...proof, signature: flip(vectors.signature, 95) })).toContain("The signature");
    },
  );

  it("holds a secret against the nonce of the holder's own seat", async () => {
    const proof = proofOfPhones2(0);
    const [one, two] = proof.seats.map(({ holders: [holder] }) => holder);
    if (one && two) [one.pseudonym, two.pseudonym] = [two.pseudonym, one.pseudonym];
    expect(await failures(proof)).toEqual(expect.arrayContaining(["The sealed list", "The phones' secrets"]));
  });

  it("is another draw than version 1 of the same list", async () => {
    const proof = { ...proofOf2(5), rosterDigest: proofOf(5).rosterDigest };
    expect(await failures(proof)).toEqual(["The sealed list"]);
  });
});
