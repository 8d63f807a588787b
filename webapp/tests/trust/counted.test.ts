import { describe, expect, it } from "vitest";
import type { Movement, ReservesProof, ReservesRoot } from "@/api/schema.gen";
import { checkCounted, type Known } from "@/features/trust/reserves/proof/check";
import { vectors } from "./liabilities";

const whole = vectors.find(({ name }) => name === "as it is");
if (!whole) throw new Error("the vectors lack the one that holds");
const { file } = whole;
const [wallet] = file.accounts;
if (!wallet) throw new Error("it has no account");
const user = wallet.account.replace("wallet:", "");

const proof = (change: Partial<ReservesProof["file"]> = {}): ReservesProof => ({
  at: "2026-11-20T05:00:00Z",
  file: { ...file, ...change },
  accounts: file.accounts.map(({ account }) => ({
    account,
    kind: account === wallet.account ? "WALLET" : "SUB_ACCOUNT",
    name: "",
  })),
});
const movement = (position: number, balanceAfter?: number) => ({ position, balanceAfter }) as Movement;
const balance = Number(wallet.kobo) / 100;
const root = { ...file, keyId: "k", at: "", recordedPosition: 43 } as unknown as ReservesRoot;
const known = (change: Partial<Known> = {}): Known => ({
  user,
  roots: [root],
  movements: [movement(50, balance + 7), movement(42), movement(41, balance), movement(3, 1)],
  ...change,
});

const failed = async (p: ReservesProof, k: Known) =>
  (await checkCounted(p, k)).filter(({ state }) => state === "failed").map(({ name }) => name);

describe("what is the member's own", () => {
  it("is counted, in full, under the root that everybody gets", async () => {
    const steps = await checkCounted(proof(), known());
    expect(steps.map(({ name, state }) => [name, state])).toEqual([
      ["root", "passed"],
      ["seen", "passed"],
      ["path", "passed"],
      ["recorded", "open"],
    ]);
  });

  it("is not, where the balance that they saw is another", async () => {
    expect(await failed(proof(), known({ movements: [movement(41, balance + 0.01)] }))).toEqual(["seen"]);
  });

  it("is not, where it was left out", async () => {
    expect(await failed(proof({ accounts: file.accounts.slice(1) }), known())).toContain("seen");
    expect(await failed(proof({ accounts: [] }), known())).toContain("seen");
  });

  it("is not, by another member's path", async () => {
    expect(await failed(proof(), known({ user: "somebody-else" }))).toContain("seen");
    expect(await failed(proof(), known({ user: "somebody-else", movements: [] }))).toEqual(["seen"]);
    for (const [kind, account] of [
      ["WALLET_HELD", "held:wallet:another"],
      ["DEPOSIT", "deposit:ajo:another"],
    ] as const) {
      const one = proof();
      one.accounts.push({ account, kind, name: "" });
      expect(await failed(one, known())).toEqual(["seen"]);
      one.accounts.splice(-1, 1, { account: account.replace("another", user), kind, name: "" });
      expect(await failed(one, known())).toEqual([]);
    }
  });

  it("is not, under a root that only they are given", async () => {
    expect(await failed(proof(), known({ roots: [] }))).toEqual(["root", "path"]);
    expect(await failed(proof(), known({ roots: [{ ...root, root: "0".repeat(64) }] }))).toEqual(["root", "path"]);
    expect(await failed(proof(), known({ roots: [{ ...root, sum: "1" }] }))).toEqual(["root"]);
  });

  it("is not, by a receipt of something else", async () => {
    const receipt = { position: 1, size: 1, root: "0".repeat(64), record: "AA==", checkpoint: "", key: "" };
    expect(await failed(proof({ receipt }), known())).toEqual(["recorded"]);
  });
});
