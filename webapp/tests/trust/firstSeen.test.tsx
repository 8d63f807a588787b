import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Dispute } from "@/api/schema.gen";
import { DisputePage } from "@/features/cases/disputes/screens/DisputePage";
import { checkSeal } from "@/features/groups/home/parts/seal";
import { partedFrom } from "@/features/trust/witness/device/watch";
import { firstSeen, keepFirst } from "@/lib/proof/first";
import { readCheckpoint } from "@/lib/proof/note";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
// One ledger, and another history under the same key, as the ledger's own code signs and proves them.
import history from "../kit/history.json";
import { network } from "../kit/network";
import { browserKept } from "./browserKept";

const api = (path: string) => `${origin}/api${path}`;
const checkpoints = history.checkpoints as string[];
const at = (size: number) => checkpoints.find((one) => one.includes(`\n${size}\n`)) as string;
const last = checkpoints.at(-1) as string;
const sizeOf = (note?: string) => readCheckpoint(note ?? "")?.size;
const REFUSED = "The ledger does not continue what this device saw first: there are two histories.";

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

let databases: Map<string, Map<string, unknown>>;

beforeEach(() => {
  localStorage.clear();
  databases = browserKept();
  signIn();
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "indexedDB");
});

describe("what a device saw first", () => {
  it("stays, whatever it sees later, for each person", async () => {
    await keepFirst("ada", at(256), history.key);
    await keepFirst("ada", last, history.key);
    await keepFirst("ada", at(7), history.key);
    await keepFirst("ada", history.rewritten, history.key);
    await keepFirst("bisi", last, history.key);
    expect(await firstSeen("ada", [history.key])).toBe(at(256));
    expect(await firstSeen("bisi", [history.key])).toBe(last);
    expect(await firstSeen("chidi", [history.key])).toBeUndefined();
  });

  it("is nothing that the key did not sign", async () => {
    for (const none of ["", "x", at(256).replace("\n256\n", "\n257\n"), at(256).replace("/e1\n", "/e2\n")]) {
      await keepFirst("ada", none, history.key);
    }
    await keepFirst("ada", at(256), `x${history.key}`);
    await keepFirst("", at(256), history.key);
    expect(databases.get("adashi-first")?.size ?? 0).toBe(0);
  });

  it("is not let go of where a ledger at the same address has another key, and the oldest of several keys counts", async () => {
    await keepFirst("ada", at(256), history.key);
    expect(await firstSeen("ada", ["another+key"])).toBeUndefined();
    databases.get("adashi-first")?.set("ada retired", at(7));
    databases.get("adashi-first")?.set("ada later", history.restored); // Of epoch 2, and smaller.
    expect(await firstSeen("ada", [history.key, "retired", "later"])).toBe(at(7));
    expect(await firstSeen("ada", [history.key, "later"])).toBe(at(256));
  });

  it("is none where the browser keeps nothing", async () => {
    Reflect.deleteProperty(globalThis, "indexedDB");
    await keepFirst("ada", at(256), history.key);
    expect(await firstSeen("ada", [history.key])).toBeUndefined();
  });

  it("is what the seal found first, and not what broke it", async () => {
    for (const note of [at(256), last, history.rewritten]) {
      tells(note);
      await checkSeal("ada");
    }
    expect(sizeOf(localStorage.getItem("adashi-checkpoint") ?? "")).toBe(1000);
    expect(await firstSeen("ada", [history.key])).toBe(at(256));
  });

  it("is continued by what grew, and not by an epoch of which the key signed nothing", async () => {
    tells(last);
    expect(await partedFrom(at(256))).toBeUndefined();
    tells(history.restored);
    expect(await partedFrom(last)).toMatchObject({ device: "", before: last, shown: history.restored });
    tells(history.rewritten);
    expect(await partedFrom(at(256))).toMatchObject({ before: at(256), shown: history.rewritten });
  });
});

const dispute: Dispute = {
  id: "d1",
  number: "ADA-7K2P-9QX",
  kind: "NOT_CREDITED",
  status: "OPEN",
  title: "I paid and it is not there",
  openedAt: "2026-11-20T10:00:00Z",
  acknowledgeBy: "2026-11-21T10:00:00Z",
  decideBy: "2026-11-23T10:00:00Z",
  late: false,
  steps: [],
  mayAdd: false,
  mayAnswer: false,
  mayWithdraw: false,
  mayReopen: false,
};

const ours = { headers: { "X-Adashi": "api" } };

describe("the evidence of a dispute", () => {
  let given: (string | null)[];
  let kept: Blob[];

  /** Opens the page; the ledger answers its evidence, of what it was given. */
  function opens(answers: (checkpoint: string | null) => Response) {
    given = [];
    kept = [];
    network.use(
      http.get(api("/v1/disputes/d1"), () => yes(dispute)),
      http.get(api("/v1/disputes/d1/bundle"), ({ request }) => {
        given.push(new URL(request.url).searchParams.get("checkpoint"));
        return answers(given.at(-1) ?? null);
      }),
    );
    Object.assign(URL, { createObjectURL: (blob: Blob) => kept.push(blob) && "blob:x", revokeObjectURL: () => {} });
    show(
      <Routes>
        <Route path="/disputes/:id" element={<DisputePage />} />
      </Routes>,
      "/disputes/d1",
    );
  }
  const asks = async () => userEvent.click(await screen.findByRole("button", { name: "Download the evidence" }));

  beforeEach(() => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is asked for with what the device saw first; a device that saw nothing begins with it", async () => {
    tells(at(256));
    opens((checkpoint) => HttpResponse.html(`<p>${JSON.stringify(checkpoint)}</p>`, ours));
    await asks();
    await waitFor(() => expect(kept).toHaveLength(1));
    await waitFor(async () => expect(await firstSeen(ada.id, [history.key])).toBe(at(256)));
    tells(last);
    await asks();
    await waitFor(() => expect(kept).toHaveLength(2));
    expect(given).toEqual([null, at(256)]);
    expect(await firstSeen(ada.id, [history.key])).toBe(at(256));
  });

  it("is not saved where it leaves out what the device gave", async () => {
    await keepFirst(ada.id, at(256), history.key);
    tells(last);
    opens(() => HttpResponse.html("<p>nothing</p>", ours));
    await asks();
    await screen.findByText(/leaves out what this device saw of the ledger first/);
    expect(kept).toHaveLength(0);
  });

  it("raises the alarm where the ledger does not continue what the device saw", async () => {
    await keepFirst(ada.id, at(256), history.key);
    tells(history.rewritten);
    opens(() => no(409, REFUSED, "CONFLICT", "checkpoint"));
    await asks();
    await screen.findByText("The ledger showed this device something else before");
    await screen.findByText("Seen first");
    expect(screen.queryByText(/stop watching/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Save the evidence" }));
    const saved = JSON.parse((await kept[0]?.text()) ?? "");
    expect(saved).toMatchObject({ device: "", before: at(256), shown: history.rewritten });
    expect(await firstSeen(ada.id, [history.key])).toBe(at(256));
  });

  it("says what the ledger refused where it shows the device nothing else", async () => {
    await keepFirst(ada.id, at(256), history.key);
    tells(last);
    opens(() => no(409, REFUSED, "CONFLICT", "checkpoint"));
    await asks();
    await screen.findByText(REFUSED);
    expect(screen.queryByRole("button", { name: "Save the evidence" })).toBeNull();
  });

  it("is refused for another reason as anything is", async () => {
    await keepFirst(ada.id, at(256), history.key);
    tells(history.rewritten);
    opens(() => no(409, "Some of your events are archived.", "CONFLICT"));
    await asks();
    const said = await screen.findByText("Some of your events are archived.");
    expect(said.closest("[data-scope=toast]")).not.toBeNull();
  });
});
