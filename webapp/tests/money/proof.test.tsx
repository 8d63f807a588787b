import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { verifyReceipt, type WholeReceipt } from "@/features/money/activity/proof/verify";
import { ActivityDetail } from "@/features/money/activity/screens/ActivityDetail";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
// Trees, paths and signed notes as golang.org/x/mod's tlog and note make them.
import receipts from "./receipts.json";

const whole = receipts as WholeReceipt[];
const [first] = whole as [WholeReceipt];
const large = whole.find(({ position, size }) => position === 100 && size === 137) as WholeReceipt;
const shown = ({ position, leafHash }: WholeReceipt) => ({ position, leafHash });

async function states(receipt: WholeReceipt, about = shown(receipt)) {
  return (await verifyReceipt(receipt, about)).map(({ state }) => state);
}

/** Another letter at the place, of the same kind. */
const altered = (hex: string, at = 0) => hex.slice(0, at) + (hex[at] === "0" ? "1" : "0") + hex.slice(at + 1);

const PASSED = ["passed", "passed", "passed", "passed", "passed"];

describe("a receipt", () => {
  it.each(whole.map((receipt) => [receipt.position, receipt.size, receipt] as const))(
    "of place %i in a ledger of %i passes every step",
    async (_position, _size, receipt) => {
      expect(await states(receipt)).toEqual(PASSED);
    },
  );

  it("of the only record of a ledger needs no path", async () => {
    const { path, ...alone } = first;
    expect(path).toEqual([]);
    expect(await states(alone)).toEqual(PASSED);
  });

  it("of another movement is told apart", async () => {
    expect(await states(large, { ...shown(large), position: 99 })).toEqual(["failed", ...PASSED.slice(1)]);
    expect(await states(large, shown(first))).toEqual(["failed", ...PASSED.slice(1)]);
  });

  it("with one letter of the record altered fails where the record is", async () => {
    const record = btoa(atob(large.record).replace("record", "recorb"));
    expect(await states({ ...large, record })).toEqual(["passed", "failed", "passed", "passed", "passed"]);
  });

  it("with its path altered, cut or lengthened does not lead to the root", async () => {
    const [head = "", ...rest] = large.path ?? [];
    for (const path of [[altered(head), ...rest], rest, [...(large.path ?? []), head], ["zz", ...rest]]) {
      expect(await states({ ...large, path })).toEqual(["passed", "passed", "failed", "passed", "passed"]);
    }
    expect((await states({ ...large, position: 101 }))[2]).toBe("failed");
    expect((await states({ ...large, position: 0 }))[2]).toBe("failed");
  });

  it("under another root than the signed one fails twice", async () => {
    const root = altered(large.root, 5);
    expect(await states({ ...large, root })).toEqual(["passed", "passed", "failed", "failed", "passed"]);
    expect((await states({ ...large, size: 138 }))[3]).toBe("failed");
  });

  it("whose checkpoint was rewritten, or signed by another key, is not signed", async () => {
    const rewritten = large.checkpoint.replace("\n137\n", "\n138\n");
    expect((await states({ ...large, checkpoint: rewritten, size: 138 }))[4]).toBe("failed");
    const [name, , key = ""] = large.key.split("+");
    expect((await states({ ...large, key: `${name}+00000000+${key}` }))[4]).toBe("failed");
    const other = `${large.key.slice(0, -3)}AA=`;
    expect((await states({ ...large, key: other }))[4]).toBe("failed");
    const elsewhere = large.checkpoint.replaceAll("adashi.ng/ledger/e1", "another.ng/ledger/e1");
    expect((await states({ ...large, checkpoint: elsewhere }))[4]).toBe("failed");
    expect((await states({ ...large, checkpoint: "" })).slice(3)).toEqual(["failed", "failed"]);
  });

  it("is checked just as well by a browser that knows no Ed25519", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("", "NotSupportedError"));
    expect(await states(large)).toEqual(PASSED);
    const other = large.checkpoint.replace(/\S{8}\n$/, "AAAAAAA=\n");
    expect((await states({ ...large, checkpoint: other }))[4]).toBe("failed");
    expect(importKey).toHaveBeenCalled();
    importKey.mockRestore();
  });
});

describe("a movement's page", () => {
  const detail = {
    movement: {
      id: "m1",
      kind: "CONTRIBUTION",
      title: "Contribution",
      direction: "OUT",
      amount: 5000,
      date: "2026-11-20T10:00:00Z",
      recordedAt: "2026-11-20T10:00:00Z",
      position: large.position,
      reference: "ref-1",
    },
    leafHash: large.leafHash,
    story: [],
    entries: [],
  };
  const open = (receipt: () => Response, movement: object = detail) => {
    network.use(
      http.get(`${origin}/api/v1/activity/m1`, () => yes(movement)),
      http.get(`${origin}/api/v1/activity/m1/receipt`, receipt),
    );
    signIn();
    show(
      <Routes>
        <Route path="/dashboard/activity/:id" element={<ActivityDetail />} />
      </Routes>,
      "/dashboard/activity/m1",
    );
  };
  const check = async () => userEvent.click(await screen.findByRole("button", { name: "Check the proof" }));

  it("checks its proof step by step", async () => {
    open(() => yes(large));
    await check();
    await screen.findByText("Checked: this record is in the ledger, unaltered.");
    expect(screen.getAllByText("Passed")).toHaveLength(5);
    expect(screen.getByText("The Ed25519 signature of adashi.ng/ledger is right.")).toBeTruthy();
  });

  it("says who can check a movement whose fingerprint would tell a hidden total", async () => {
    const { leafHash: _leafHash, ...hidden } = detail;
    open(() => no(500, "Nobody asks for it.", "INTERNAL"), hidden);
    await screen.findByText("You can't check this one yourself");
    screen.getByText(/its proof is here as soon as the owner shows the total\./);
    expect(screen.queryByRole("button", { name: "Check the proof" })).toBeNull();
    expect(screen.queryByText("Fingerprint")).toBeNull();
    expect(screen.queryByText(large.leafHash)).toBeNull();
  });

  it("checks nothing of a receipt that is withheld since the page was opened, and says why", async () => {
    const { record: _record, leafHash: _leafHash, path: _path, ...rest } = large;
    open(() => yes({ ...rest, withheld: "The owner can check it." }));
    await check();
    await screen.findByText("The owner can check it.");
    expect(document.querySelector("[data-proof]")).toBeNull();
    expect(screen.queryByText(/Checked/)).toBeNull();
  });

  it("says so where the proof does not hold", async () => {
    open(() => yes({ ...large, root: altered(large.root) }));
    await check();
    await screen.findByText(/This proof does not hold/);
    expect(screen.getAllByText("Failed")).toHaveLength(2);
  });

  it("says why there is no receipt yet", async () => {
    open(() => no(409, "This movement is sealed in a moment. Try again.", "CONFLICT"));
    await check();
    await screen.findByText("This movement is sealed in a moment. Try again.");
  });
});
