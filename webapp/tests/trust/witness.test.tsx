import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { CosignatureRequest } from "@/api/schema.gen";
import { checkSeen } from "@/features/trust/witness/device/seen";
import type { Kept, Watching } from "@/features/trust/witness/device/store";
import { begin, end, look } from "@/features/trust/witness/device/watch";
import { Alarm } from "@/features/trust/witness/parts/Alarm";
import { fromBase64, toHex } from "@/lib/proof/bytes";
import { isCosignedBy } from "@/lib/proof/cosign";
import { continues } from "@/lib/proof/merkle";
import { readCheckpoint, signerOf } from "@/lib/proof/note";
import { origin, show, yes } from "../kit/help";
// One ledger, and another history under the same key, as the ledger's own code signs and proves them.
import history from "../kit/history.json";
import { network } from "../kit/network";
import { newLog } from "./log";

const api = (path: string) => `${origin}/api${path}`;
const checkpoints = history.checkpoints as string[];
const at = (size: number) => checkpoints.find((one) => one.includes(`\n${size}\n`)) as string;
const last = checkpoints.at(-1) as string;
const sizeOf = (note: string) => readCheckpoint(note)?.size ?? 0;

let given: CosignatureRequest[];
let asked: string[];

function tells(note: string, epochs: string[] = [], proves = true) {
  network.use(
    http.get(api("/Ledger/checkpoint"), () => new Response(note)),
    http.get(api("/Ledger/keys"), () => yes([{ key: history.key, retired: false }])),
    http.get(api("/Ledger/epochs"), () =>
      yes(
        epochs.map((one) => ({ epoch: 2, from: 7, givesUp: 0, began: "2026-11-23T08:00:00Z", reason: "", note: one })),
      ),
    ),
    http.get(api("/Ledger/consistency"), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [from, to] = [Number(query.get("from")), Number(query.get("to"))];
      if (from > to) return new HttpResponse(null, { status: 400 }); // As the ledger does.
      const proof = history.proofs.find((one) => one.from === from && one.to === to);
      return yes(proof && proves ? proof : { from, to, hashes: [] });
    }),
    http.post(api("/v1/witness/cosignatures"), async ({ request }) => {
      given.push((await request.json()) as CosignatureRequest);
      return yes({ mayWatch: true, keys: [] });
    }),
    http.post(api("/v1/witness/keys"), async ({ request }) => {
      asked.push(((await request.json()) as { publicKey: string }).publicKey);
      return yes({ mayWatch: true, keys: [] });
    }),
    http.post(api("/v1/witness/keys/revoke"), () => yes({ mayWatch: true, keys: [] })),
  );
}

/** A device's memory, of this test alone; it can be told to forget to write. */
function memory(): Kept & { all: Map<string, Watching> } {
  const all = new Map<string, Watching>();
  return {
    all,
    get: async (user) => all.get(user),
    put: async (user, watching) => void all.set(user, watching),
    remove: async (user) => void all.delete(user),
  };
}

beforeEach(() => {
  given = [];
  asked = [];
});

/** The cosignatures that the ledger's verifier is held to. */
const vectors = JSON.parse(readFileSync("../ledger/infra/proofs/witness/testdata/vectors.json", "utf8")) as {
  name: string;
  publicKey: string;
  checkpoint: string;
  signature: string;
  holds: boolean;
}[];

/** What a page of evidence carries, as the server made it. */
const evidence = JSON.parse(
  /id="evidence">(.*?)<\/script>/s.exec(readFileSync("../services/internal/evidence/testdata/v3.html", "utf8"))?.[1] ??
    "",
) as {
  checkpoint: string;
  keys: string[];
  hashes: string[];
  seen: {
    witnesses: { key: string; checkpoint: string; signature: string }[];
    phone: { note: string };
    proofs: { size: number; path: number[] }[];
  };
};

describe("a cosignature", () => {
  it.each(vectors.map((one) => [one.name, one] as const))("is judged as the ledger judges it: %s", async (_, one) => {
    expect(await isCosignedBy(one.publicKey, one.checkpoint, one.signature)).toBe(one.holds);
  });
});

describe("a page of evidence", () => {
  it("carries what this browser's own verifiers find right, for the tree that it stands under and no other", async () => {
    const { checkpoint, keys, hashes, seen } = evidence;
    const now = readCheckpoint(checkpoint);
    const first = readCheckpoint(seen.phone.note);
    if (!now || !first) throw new Error("no checkpoint");
    expect(await signerOf(first, keys[0] ?? "")).toBe("adashi.example/ledger");
    const signed = seen.witnesses.map((one) => readCheckpoint(`${one.checkpoint}\n-\n`));
    for (const older of [first, ...signed]) {
      if (!older) throw new Error("no checkpoint");
      const path = seen.proofs.find(({ size }) => size === older.size)?.path ?? [];
      const proof = path.map((at) => fromBase64(hashes[at] ?? "") as Uint8Array<ArrayBuffer>);
      expect(await continues(older, now, proof)).toBe(true);
      expect(await continues({ ...older, root: first.root.map((byte) => byte ^ 1) }, now, proof)).toBe(false);
    }
    for (const { key, checkpoint: text, signature } of seen.witnesses) {
      const raw = key.includes("+") ? fromBase64(key.split("+").slice(2).join("+"))?.slice(1) : undefined;
      expect(await isCosignedBy(raw ? toHex(raw) : key, text, signature)).toBe(true);
    }
  });
});

describe("a device that watches", () => {
  it("signs what only grew, each size once", async () => {
    const kept = memory();
    tells(at(256));
    expect(await look("ada", kept)).toBeUndefined();
    await begin("ada", kept);
    for (const note of [at(256), at(256), last]) {
      tells(note);
      expect((await look("ada", kept))?.alarm).toBeUndefined();
    }
    expect(given.map(({ checkpoint }) => sizeOf(`${checkpoint}\n-\n`))).toEqual([256, 1000]);
    for (const { publicKey, checkpoint, signature } of given) {
      expect(asked).toEqual([publicKey]);
      expect(await isCosignedBy(publicKey, checkpoint, signature)).toBe(true);
      expect(await isCosignedBy(publicKey, checkpoint.replace("\n", "\n1"), signature)).toBe(false);
      expect(await isCosignedBy(publicKey, checkpoint, signature.replace(/^A/, "B"))).toBe(false);
    }
    await end("ada", asked[0] as string, kept);
    expect(kept.all.size).toBe(0);
  });

  it.each([
    ["a shorter ledger", at(256), true],
    ["another history of the same key", history.rewritten, true],
    ["a proof that does not lead from one to the other", last, false],
    ["the same tree, not signed by the ledger's key", last.replace(/.{8}==?\n$|.{8}\n$/, "AAAAAAA=\n"), true],
    ["a later epoch that nobody signed for", history.restored, true],
  ])("signs nothing more once it is shown %s", async (_, note, proves) => {
    const kept = memory();
    await tells(proves ? last : at(256));
    await begin("ada", kept);
    await look("ada", kept);
    const before = kept.all.get("ada")?.last;
    tells(note, [], proves);
    const { alarm } = (await look("ada", kept)) ?? {};
    expect(alarm).toMatchObject({ before, shown: note });
    tells(last);
    expect((await look("ada", kept))?.alarm).toEqual(alarm); // It never recovers by itself.
    expect(given).toHaveLength(1);
    show(<Alarm evidence={alarm as NonNullable<typeof alarm>} onStop={() => {}} />);
    await screen.findByText("The ledger showed this device something else before");
    screen.getByRole("button", { name: "Save the evidence" });
  });

  it("goes on where the key signed that the records were put back", async () => {
    const kept = memory();
    const [seen, log] = [Array.from({ length: 10 }, (_, n) => `record ${n}`), await newLog()];
    tells(last);
    log.tells(await log.checkpoint(1, seen), seen);
    await begin("ada", kept);
    await look("ada", kept);
    const restored = [...seen.slice(0, 7), "another"];
    const start = await log.start({ from: 7, lost: { epoch: 1, records: seen } });
    log.tells(await log.checkpoint(2, restored), restored, [start]);
    expect((await look("ada", kept))?.alarm).toBeUndefined();
    expect(given).toHaveLength(2);
  });

  it("keeps what it is about to sign before it signs", async () => {
    const kept = memory();
    tells(at(256));
    await begin("ada", kept);
    network.use(http.post(api("/v1/witness/cosignatures"), () => new Response(null, { status: 503 })));
    await expect(look("ada", kept)).rejects.toThrow();
    expect(kept.all.get("ada")?.last).toBe(at(256));
    const full: Kept = { ...kept, put: () => Promise.reject(new Error("the disk is full")) };
    tells(last);
    await expect(look("ada", full)).rejects.toThrow("the disk is full");
    expect(given).toHaveLength(0);
  });
});

describe("who saw a record", () => {
  it("counts signatures that are right and of the same ledger", async () => {
    const [ada, bisi, mallory] = [memory(), memory(), memory()];
    for (const [kept, note] of [
      [ada, at(256)],
      [bisi, last],
      [mallory, history.rewritten],
    ] as const) {
      tells(note);
      await begin("x", kept);
      await look("x", kept);
    }
    const shown = given.map(({ publicKey, checkpoint, signature }, n) => ({
      by: "VALIDATOR",
      publicKey,
      checkpoint,
      signature,
      size: sizeOf(`${checkpoint}\n-\n`),
      at: `2026-11-0${n + 1}T08:00:00Z`,
    }));
    tells(last);
    const says = (list: object[]) =>
      network.use(http.get(api("/v1/witness/cosignatures"), () => yes({ cosignatures: list })));
    says(shown);
    const { witnesses, wrong } = await checkSeen(last, 100);
    expect(witnesses.map(({ size }) => size)).toEqual([256, 1000]);
    expect(wrong.map(({ size }) => size)).toEqual([400]); // Of another history: the split is seen.
    says([
      { ...shown[0], signature: shown[1]?.signature },
      { ...shown[0], size: 999 },
    ]);
    expect((await checkSeen(last, 100)).witnesses).toEqual([]);
    says([shown[0] as object]);
    expect((await checkSeen(last, 257)).witnesses).toEqual([]); // It has not seen that far.
    // Of an epoch before this one, and of another ledger.
    says(shown);
    const later = await checkSeen(last.replace(/\/e\d+\n/, "/e9\n"), 100);
    expect([later.witnesses, later.wrong].map((list) => list.map(({ size }) => size))).toEqual([[256, 1000], [400]]);
    expect((await checkSeen(`another.${last}`, 100)).witnesses).toEqual([]);
  });
});
