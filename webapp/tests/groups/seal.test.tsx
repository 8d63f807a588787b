import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { Checked } from "@/features/groups/home/parts/Checked";
import { checkSeal } from "@/features/groups/home/parts/seal";
import { fromBase64 } from "@/lib/proof/bytes";
import { continues } from "@/lib/proof/merkle";
import { readCheckpoint } from "@/lib/proof/note";
import { origin, show, yes } from "../kit/help";
// One ledger, and another history under the same key, as the ledger's own code signs and proves them.
import history from "../kit/history.json";
import { network } from "../kit/network";
import { group } from "./groupLife";

const api = (path: string) => `${origin}/api${path}`;

/** What the server says: this checkpoint, and these statements about epochs. */
function tells(note: string, epochs: string[] = []) {
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
      return yes(history.proofs.find((one) => one.from === from && one.to === to) ?? { from, to, hashes: [] });
    }),
  );
}

const last = history.checkpoints.at(-1) as string;
const tree = (size: number) => readCheckpoint(history.checkpoints.find((one) => one.includes(`\n${size}\n`)) ?? "");

beforeEach(() => localStorage.clear());

describe("a consistency proof", () => {
  it.each(history.proofs.map(({ from, to, hashes }) => [from, to, hashes] as const))(
    "of %i and %i holds, and for no other tree",
    async (from, to, hashes) => {
      const [older, newer] = [tree(from), tree(to)];
      const proof = hashes.map((hash) => fromBase64(hash) as Uint8Array<ArrayBuffer>);
      if (!older || !newer) throw new Error("no such checkpoint");
      expect(await continues(older, newer, proof)).toBe(true);
      const other = { ...older, root: newer.root.map((byte) => byte ^ 1) as Uint8Array<ArrayBuffer> };
      expect(await continues(other, newer, proof)).toBe(false);
      expect(await continues(older, other, proof)).toBe(false);
      expect(await continues(older, newer, [...proof, older.root])).toBe(false);
      if (proof.length > 0) expect(await continues(older, newer, proof.slice(1))).toBe(false);
    },
  );
});

describe("the seal", () => {
  it("follows a ledger that only grows", async () => {
    for (const note of history.checkpoints) {
      tells(note);
      expect(await checkSeal("ada")).toMatchObject({ signer: "adashi.ng/ledger", epochs: [] });
      expect((await checkSeal("ada"))?.broken).toBeUndefined();
    }
  });

  it("does not hold where the ledger lost what this browser saw", async () => {
    tells(last);
    await checkSeal("ada");
    tells(history.checkpoints[2] as string);
    expect((await checkSeal("ada"))?.broken).toBe(1000);
    tells(history.rewritten);
    expect((await checkSeal("ada"))?.broken).toBe(1000);
    tells(last);
    expect((await checkSeal("ada"))?.broken).toBeUndefined();
  });

  it("does not hold where history was written anew at the same length", async () => {
    tells(history.checkpoints[3] as string); // 256
    await checkSeal("ada");
    tells(history.rewritten); // 400 of another history.
    expect((await checkSeal("ada"))?.broken).toBe(256);
  });

  it("lets go of nothing that the key did not sign, and tells what it signed", async () => {
    tells(last);
    await checkSeal("ada");
    tells(history.restored, [history.epoch.replace("lost e1 1000", "lost e1 0")]);
    expect(await checkSeal("ada")).toMatchObject({ broken: 1000, epochs: [] });
    localStorage.clear();
    tells(history.restored, [history.epoch]);
    expect(await checkSeal("ada")).toMatchObject({ epochs: [{ epoch: 2, from: 7, givesUp: 1003 }] });
  });

  it("tells a member that the records were put back", async () => {
    tells(history.restored, [history.epoch]);
    show(<Checked group={group()} />);
    await userEvent.click(await screen.findByRole("button", { name: /Verified to event/ }));
    await screen.findByText(/put back to event 7, as the ledger's key signed. 1,003 that came after it are lost/);
    screen.getByText("The backup of 04:00 was restored.");
  });

  it("tells a member that the ledger no longer has what they saw", async () => {
    tells(last);
    await checkSeal("ada");
    tells(history.checkpoints[2] as string);
    show(<Checked group={group()} />);
    await userEvent.click(await screen.findByRole("button", { name: /The seal does not hold/ }));
    await screen.findByText(/no longer has the 1,000 events that this browser has seen/);
  });
});
