import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Dispute } from "@/api/schema.gen";
import { useStore } from "@/store/store";
import { click, faultOf, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, dispute, step, WORDS } from "./disputes";

beforeEach(signIn);

/** A dispute as it stands; what was sent, and what was kept. */
const open = (state: Partial<Dispute>) => {
  const now = { value: dispute(state), sent: [] as [string, unknown][], kept: [] as unknown[] };
  network.use(
    http.put(`${origin}/api/v1/disputes/d1/draft`, async ({ request }) => {
      const body = (await request.json()) as object;
      now.kept.push(body);
      return yes({ ...body, savedAt: "2026-11-20T10:00:00Z" }, "Kept.");
    }),
    http.get(`${origin}/api/v1/disputes/d1`, () => yes(now.value)),
    http.post(`${origin}/api/v1/disputes/d1/:deed`, async ({ params, request }) => {
      const body = await request.text();
      now.sent.push([String(params.deed), body ? JSON.parse(body) : undefined]);
      return yes(now.value, "Recorded.");
    }),
  );
  return now;
};

describe("one's disputes", () => {
  it("are listed with number, state and date; with none it is said what one is", async () => {
    let rows: Dispute[] = [];
    network.use(http.get(`${origin}/api/v1/disputes`, () => yes({ disputes: rows })));
    const { unmount } = show(app, "/disputes");
    await screen.findByText(/A dispute is how you tell us/);
    expect(screen.getByRole("link", { name: "Report a problem" }).getAttribute("href")).toBe("/disputes/new");
    unmount();
    rows = [dispute({ late: true })];
    show(app, "/disputes");
    const row = await screen.findByRole("link", { name: /I paid and it is not there/ });
    expect(row.textContent).toContain("ADA-7K2P-9QX · We decide by 23 Nov 2026, 11:00");
    expect(row.textContent).toContain("We are late");
  });

  it("offer what may be done, and nothing else", async () => {
    open({ mayAdd: false, mayWithdraw: false });
    show(app, "/disputes/d1");
    await screen.findByText(WORDS);
    for (const name of ["Your answer", "In your words", "What did we miss?"])
      expect(screen.queryByLabelText(name)).toBeNull();
    expect(screen.queryByRole("button", { name: "Take it back" })).toBeNull();
    expect(screen.queryByText(/Central Bank/)).toBeNull();
  });

  it("give their evidence as a page to keep", async () => {
    open({});
    network.use(
      http.get(`${origin}/api/v1/disputes/d1/bundle`, () =>
        HttpResponse.html("<!doctype html>", { headers: { "X-Adashi": "api" } }),
      ),
      http.get(`${origin}/api/Ledger/keys`, () => yes([])),
      http.get(`${origin}/api/Ledger/checkpoint`, () => new Response(null, { status: 404 })),
    );
    const kept: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => kept.push(blob) && "blob:x", revokeObjectURL: () => {} });
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      expect(this.download).toBe("adashi-evidence-ada-7k2p-9qx.html");
    });
    show(app, "/disputes/d1");
    await click("Download the evidence");
    await waitFor(() => expect(kept).toHaveLength(1));
    await waitFor(() => expect(clicked).toHaveBeenCalled());
    clicked.mockRestore();
  });

  it("take an answer while something is asked, and say that the clock stands still", async () => {
    const asked = step("ASKED", 3, { by: "SUPPORT", words: "From which bank?", until: "2026-11-27T10:00:00Z" });
    const now = open({
      status: "INFO_REQUESTED",
      answerBy: "2026-11-27T10:00:00Z",
      mayAnswer: true,
      steps: [...dispute().steps, asked],
    });
    show(app, "/disputes/d1");
    await screen.findByText(/The clock stands still until 27 Nov 2026, 11:00/);
    await click("Send the answer");
    expect(faultOf(screen.getByLabelText("Your answer"))).toBe("Say it in at least three letters.");
    await userEvent.type(screen.getByLabelText("Your answer"), "From Kuda.");
    now.value = dispute({ status: "INVESTIGATING" });
    await click("Send the answer");
    await waitFor(() => expect(screen.queryByLabelText("Your answer")).toBeNull());
    expect(now.sent).toEqual([["submit", { words: "From Kuda.", files: [] }]]);
  });

  it("keep what is got ready, go on with it later, and send it at once", async () => {
    const slip = { id: "f1", name: "slip.png" };
    const now = open({ draft: { words: "I will look for", files: [slip], savedAt: "2026-11-20T09:00:00Z" } });
    show(app, "/disputes/d1");
    const words = await screen.findByLabelText("In your words");
    expect((words as HTMLTextAreaElement).value).toBe("I will look for");
    screen.getByText("Kept for you, and not sent yet.");
    await userEvent.type(words, " the slip");
    // A slow machine may keep a part of it first.
    await waitFor(() => expect(now.kept.at(-1)).toEqual({ words: "I will look for the slip", files: [slip] }));
    await screen.findByText("Kept for you, and not sent yet.");
    expect(now.sent).toEqual([]);
    await userEvent.type(words, ".");
    await click("Send it");
    await waitFor(() => expect(now.sent).toEqual([["submit", { words: "I will look for the slip.", files: [slip] }]]));
    await waitFor(() => expect((words as HTMLTextAreaElement).value).toBe(""));
    expect(screen.queryByText("slip.png")).toBeNull();
    const before = now.kept.length;
    await userEvent.type(words, "More");
    await waitFor(() => expect(now.kept.at(-1)).toEqual({ words: "More", files: [] }));
    expect(JSON.stringify(now.kept.slice(before))).not.toContain("I will"); // What was sent is not kept again.
  });

  it("send nothing that is empty, and say when nothing is kept", async () => {
    const now = open({});
    network.use(http.put(`${origin}/api/v1/disputes/d1/draft`, () => HttpResponse.error()));
    show(app, "/disputes/d1");
    await screen.findByLabelText("In your words");
    await click("Send it");
    expect(faultOf(screen.getByLabelText("In your words"))).toBe("Write something, or add a file.");
    await userEvent.type(screen.getByLabelText("In your words"), "It is this");
    await screen.findByText("This could not be kept. It stays here while this page is open.", undefined, {
      timeout: 5000,
    });
    expect(now.sent).toEqual([]);
  });

  it("are taken back once one means it", async () => {
    const now = open({});
    show(app, "/disputes/d1");
    await click("Take it back");
    const dialog = await screen.findByRole("dialog", { name: "Take this dispute back?" });
    now.value = dispute({ status: "WITHDRAWN", mayAdd: false, mayWithdraw: false, resolvedAt: "2026-11-20T11:00:00Z" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Take it back" }));
    await screen.findByText("You took it back");
    expect(now.sent).toEqual([["withdraw", undefined]]);
  });

  it("show the outcome on top, may be looked at again, and name where to complain once rejected", async () => {
    const outcome = step("RESOLVED_REJECTED", 5, { by: "SUPPORT", words: "It was somebody else's." });
    const now = open({
      status: "RESOLVED_REJECTED",
      resolvedAt: "2026-11-22T10:00:00Z",
      reopenUntil: "2026-12-06T10:00:00Z",
      mayAdd: false,
      mayWithdraw: false,
      mayReopen: true,
      steps: [...dispute().steps, outcome],
    });
    show(app, "/disputes/d1");
    await screen.findByText("We found no mistake");
    expect(screen.getByText("cpd@cbn.gov.ng")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("What did we miss?"), "My slip.");
    now.value = dispute({ status: "REOPENED" });
    await click("Have it looked at again");
    await waitFor(() => expect(screen.queryByText("We found no mistake")).toBeNull());
    expect(now.sent).toEqual([["reopen", { words: "My slip." }]]);
  });

  it("follow by themselves", async () => {
    const now = open({});
    show(app, "/disputes/d1");
    await screen.findByText("Waits to be taken");
    now.value = dispute({ status: "INVESTIGATING" });
    useStore.getState().refreshTopics(["disputes"]);
    await screen.findByText("Being looked into");
  });
});
