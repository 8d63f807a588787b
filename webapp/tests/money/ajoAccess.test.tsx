import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { AjoAccess, AjoAsk } from "@/api/schema.gen";
import { Finance } from "@/features/money/finance/screens/Finance";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { atProfile, edit, section } from "../kit/profile";

const TITLE = "Ajo with people you do not know";
const needs = (...missing: string[]): AjoAccess["checklist"] =>
  (["AGE", "BVN", "SALARY", "BANK_STATEMENT", "OFFER_LETTER"] as const).map((what) => ({
    what,
    done: !missing.includes(what),
    ...(what === "AGE" ? {} : { link: `/dashboard/profile/edit#${what === "BVN" ? "bank" : "documents"}` }),
  }));

const none: AjoAccess = { status: "NONE", hasAccess: false, checklist: needs(), mayAsk: true };
const asked: AjoAccess = { ...none, status: "ASKED", salary: 210_000, since: "2026-11-20T09:00:00Z", mayAsk: false };

/** The member's access as the server has it, and what they did with it. */
function access(first: AjoAccess) {
  const state = { now: first, calls: [] as string[] };
  const on = (method: "post" | "delete", next: AjoAccess) =>
    http[method](`${origin}/api/v1/ajo/access`, () => {
      state.calls.push(method);
      state.now = next;
      return yes(next, "Done.");
    });
  network.use(
    http.get(`${origin}/api/v1/ajo/access`, () => yes(state.now)),
    on("post", asked),
    on("delete", none),
  );
  return state;
}

const card = async () => {
  await screen.findByRole("region", { name: TITLE });
  await waitFor(() => expect(document.querySelector("[data-ajo-access]")).toBeTruthy());
  return section(TITLE);
};

describe("a member's ajo access", () => {
  beforeEach(atProfile);

  it("says what is missing, and leads there", async () => {
    access({ ...none, checklist: needs("BVN", "OFFER_LETTER"), mayAsk: false });
    await edit();
    const inCard = await card();
    expect(inCard.getByRole("link", { name: "Add: A verified BVN" }).getAttribute("href")).toMatch(/#bank$/);
    expect(inCard.getByRole("link", { name: "Add: Your offer letter" }).getAttribute("href")).toMatch(/#documents$/);
    expect(inCard.getAllByText("Missing")).toHaveLength(2);
    expect(inCard.getByRole<HTMLButtonElement>("button", { name: "Ask for access" }).disabled).toBe(true);
  });

  it("asks, and takes the request back once that is meant", async () => {
    const state = access(none);
    await edit();
    await userEvent.click((await card()).getByRole("button", { name: "Ask for access" }));
    await screen.findByText(/with a salary of ₦210,000.00 a month/);
    await userEvent.click(section(TITLE).getByRole("button", { name: "Withdraw the request" }));
    const dialog = await screen.findByRole("dialog", { name: "Withdraw your request?" });
    expect(state.calls).toEqual(["post"]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Withdraw the request" }));
    await waitFor(() => expect(state.calls).toEqual(["post", "delete"]));
    await waitFor(() => section(TITLE).getByRole("button", { name: "Ask for access" }));
  });

  it.each<[string, AjoAccess, RegExp, string | undefined]>([
    [
      "refused",
      { ...none, status: "REFUSED", reason: "The letter is old." },
      /says: “The letter is old.” Correct it above/,
      "Ask again",
    ],
    [
      "granted",
      { ...none, status: "GRANTED", hasAccess: true, limit: 70_000, mayAsk: false },
      /up to ₦70,000.00 a month/,
      undefined,
    ],
    [
      "granted before a rise",
      { ...none, status: "GRANTED", hasAccess: true, limit: 70_000 },
      /salary has changed since/,
      "Ask again",
    ],
    [
      "asked for more",
      { ...asked, hasAccess: true, limit: 70_000 },
      /may go on up to ₦70,000.00/,
      "Withdraw the request",
    ],
    [
      "lost",
      { ...none, status: "LOST", reason: "You owe seat 2 ₦21,000." },
      /You owe seat 2 ₦21,000. Settle what you owe/,
      "Ask again",
    ],
  ])("says how it stands when it is %s", async (_, state, words, button) => {
    access(state);
    await edit();
    const inCard = await card();
    expect(inCard.getByText(words)).toBeTruthy();
    if (button) expect(inCard.getByRole("button", { name: button })).toBeTruthy();
    else expect(inCard.queryByRole("button")).toBeNull();
  });
});

const request: AjoAsk = {
  userId: "u2",
  askId: "a1",
  name: "Bisi Test",
  askedAt: "2026-11-20T09:00:00Z",
  salary: 210_000,
  limit: 70_000,
  hasAccess: false,
  bvnVerified: true,
  papers: [{ paper: "bank-statement", link: "/api/v1/finance/ajo-access/u2/papers/bank-statement" }],
};

/** The desk with one request of a member and one of one's own. */
function desk() {
  const state = { waits: true, calls: [] as [string, unknown][], papers: [] as string[] };
  const at = `${origin}/api/v1/finance/ajo-access`;
  const row = { userId: "u2", name: "Bisi T.", askedAt: request.askedAt, hasAccess: false, mine: false };
  const on = (what: "grant" | "refuse") =>
    http.post(`${at}/u2/${what}`, async ({ request }) => {
      state.calls.push([what, await request.json()]);
      state.waits = false;
      return yes(undefined, "Decided.");
    });
  network.use(
    http.get(at, () => {
      const asks = [...(state.waits ? [row] : []), { ...row, userId: ada.id, name: "Ada O.", mine: true }];
      return yes({ asks, count: asks.length });
    }),
    http.get(`${at}/u2`, () => (state.waits ? yes(request) : no(404, "There is no request of theirs that waits."))),
    http.get(`${at}/u2/papers/:paper`, ({ params }) => {
      state.papers.push(String(params.paper));
      return new HttpResponse("pdf", { headers: { "Content-Type": "application/pdf" } });
    }),
    on("grant"),
    on("refuse"),
  );
  signIn();
  show(<Finance />, "/finance?tab=ajo");
  return state;
}

const click = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("the desk of ajo access", () => {
  it("shows who waits, and leaves one's own to a colleague", async () => {
    desk();
    await screen.findByText(/^2 requests wait\./);
    expect(screen.getByText("Yours: a colleague looks at it")).toBeTruthy();
    expect(screen.getAllByRole("button", { name: /^Review/ })).toHaveLength(1);
  });

  it("opens the papers, and grants once the limit is meant", async () => {
    const state = desk();
    await click("Review: Bisi T.");
    await screen.findByRole("heading", { name: "Bisi Test" });
    await click("Open the bank statement");
    await waitFor(() => expect(state.papers).toEqual(["bank-statement"]));
    expect(screen.getByText("Offer letter: Not on file")).toBeTruthy();
    await click("Grant");
    const dialog = await screen.findByRole("dialog", { name: "Grant ajo access to Bisi Test?" });
    expect(dialog.textContent).toContain("may commit up to ₦70,000.00 a month");
    expect(state.calls).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Grant access" }));
    await screen.findByText(/^1 request waits\./);
    expect(state.calls).toEqual([["grant", { askId: "a1" }]]);
  });

  it("refuses with a reason and not without", async () => {
    const state = desk();
    await click("Review: Bisi T.");
    await click("Refuse");
    const dialog = within(await screen.findByRole("dialog", { name: "Refuse the request of Bisi Test?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Refuse and tell them" }));
    await dialog.findByText("Say in at least five letters what they should correct.");
    const suggested = "A paper cannot be read. Upload a clear picture of every page.";
    await userEvent.selectOptions(dialog.getByLabelText("Suggested reasons"), suggested);
    await userEvent.type(dialog.getByLabelText("Reason"), " Page 2.");
    await userEvent.click(dialog.getByRole("button", { name: "Refuse and tell them" }));
    await screen.findByText(/^1 request waits\./);
    expect(state.calls).toEqual([["refuse", { askId: "a1", reason: `${suggested} Page 2.` }]]);
  });
});
