import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Waiver } from "@/api/schema.gen";
import { useStore } from "@/store/store";
import { app, at, click, debtor, due, serve } from "../kit/groupMoney";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

beforeEach(() => {
  signIn();
  // Nothing has a height here: what scrolls is given that of a screen.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
});
afterEach(() => vi.restoreAllMocks());

describe("what is owed", () => {
  it("shows a member their own dues with the way to pay each, and nobody else's", async () => {
    serve({ role: "MEMBER" }, [
      due({ amount: 5500, outstanding: 5500, penalty: 500 }),
      due({ period: "2026-11-01", label: "November 2026", status: "DUE", penaltyFrom: "2026-12-04" }),
    ]);
    show(app, at("unsettled-payments"));
    await screen.findByText("₦10,500.00 in all");
    const pay = screen.getByRole("link", { name: "Pay Monthly dues, October 2026" });
    expect(pay.getAttribute("href")).toContain("period=2026-10-01");
    expect(screen.getByText(/₦500.00 of it is a penalty for being late/)).toBeTruthy();
    expect(screen.getByText(/A penalty is added from 4 Dec 2026/)).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Who owes" })).toBeNull();
  });

  it("lets an official remind those who are chosen, and all once one means it", async () => {
    const { sent } = serve();
    show(app, at("unsettled-payments"));
    await screen.findByText("3 members owe ₦29,994.00");
    await userEvent.click(screen.getByRole("checkbox", { name: "Choose Member 2" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Choose Member 1" }));
    await click("Remind 2 members");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.[2]).toEqual({ memberIds: ["u1", "u2"] });
    await click("Remind everybody");
    expect(sent).toHaveLength(1);
    const dialog = await screen.findByRole("dialog", { name: "Remind everybody who owes?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Remind everybody" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.[2]).toEqual({});
    expect(sent[1]?.[1]).not.toBe(sent[0]?.[1]);
  });

  it("asks for a waiver of one due with a reason and not without", async () => {
    const { sent } = serve();
    show(app, at("unsettled-payments"));
    await click(/^See what is owed by Member 1/);
    await click("Write off: Monthly dues, October 2026");
    expect(document.activeElement).not.toBe(document.body);
    await click("Ask to write it off");
    await screen.findByText("Say why in 3 to 300 characters.");
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByLabelText("Why?"), "He has died.");
    await click("Ask to write it off");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.[2]).toEqual({
      subAccountId: "s1",
      memberId: "u1",
      period: "2026-10-01",
      kind: "WRITTEN_OFF",
      reason: "He has died.",
    });
    await screen.findByRole("button", { name: "Waive: Monthly dues, October 2026" });
  });

  it("offers no waiver to the validator, who may not ask for one", async () => {
    serve({ role: "VALIDATOR" });
    show(app, at("unsettled-payments"));
    await click(/^See what is owed by Member 1/);
    await screen.findByText("October 2026 · by 31 Oct 2026");
    expect(screen.queryByRole("button", { name: /^Waive/ })).toBeNull();
  });

  it("lets another approver decide, and who asked only watch", async () => {
    const { sent, keep } = serve();
    const waiver: Waiver = {
      id: "w1",
      subAccountId: "s1",
      subAccountName: "Monthly dues",
      memberId: "u1",
      name: "Member 1",
      due: "October 2026",
      amount: 5000,
      kind: "WAIVED",
      reason: "In hospital",
      requestedBy: "u9",
      requestedByName: "Femi T.",
      status: "OPEN",
      dateCreated: "2026-11-20T10:00:00Z",
      version: "w1",
      mayDecide: true,
    };
    let waivers: Waiver[] = [waiver, { ...waiver, id: "w2", name: "Member 2", mayDecide: false }];
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/waivers`, () => yes({ waivers })),
      http.post(`${origin}/api/v1/savings/waivers/w1/decide`, async ({ request }) => {
        await keep(request);
        waivers = waivers.map((one) =>
          one.id === "w1" ? { ...one, status: "APPROVED", decidedByName: "Ada O." } : one,
        );
        return yes(undefined, "Waived.");
      }),
    );
    show(app, at("unsettled-payments"));
    await screen.findByText("Another approver decides this one.");
    expect(screen.queryByRole("button", { name: "Approve the waiver for Member 2" })).toBeNull();
    await click("Approve the waiver for Member 1");
    const dialog = await screen.findByRole("dialog", { name: "Approve this?" });
    expect(dialog.textContent).toContain("Member 1 need not pay ₦5,000.00.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Approve" }));
    await screen.findByText(/Decided by Ada O\./);
    expect(sent.map(([, , body]) => body)).toEqual([{ approve: true, seen: "w1" }]);
  });

  it("offers to pay nothing where nothing is taken", async () => {
    for (const as of [{ status: "SUSPENDED" }, { status: "CLOSING" }, { memberStatus: "INACTIVE" }] as const) {
      serve({ role: "MEMBER", ...as }, [due()]);
      const { unmount } = show(app, at("unsettled-payments"));
      await screen.findByText("₦5,000.00 in all");
      expect(screen.queryByRole("link", { name: /^Pay / }), JSON.stringify(as)).toBeNull();
      unmount();
      useStore.setState({ reads: {} });
    }
  });

  it("reminds everybody only where everybody is shown", async () => {
    serve();
    show(app, at("unsettled-payments"));
    await screen.findByRole("button", { name: "Remind everybody" });
    await userEvent.selectOptions(screen.getByLabelText("Sub-account"), "Monthly dues");
    await screen.findByRole("button", { name: "Choose all shown" });
    expect(screen.queryByRole("button", { name: "Remind everybody" })).toBeNull();
  });

  it("no longer counts who was chosen and has paid meanwhile", async () => {
    const { sent } = serve();
    show(app, at("unsettled-payments"));
    for (const name of ["Member 1", "Member 2"])
      await userEvent.click(await screen.findByRole("checkbox", { name: `Choose ${name}` }));
    await screen.findByRole("button", { name: "Remind 2 members" });
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/unsettled`, () =>
        yes({ members: [debtor(2)], count: 1, total: 9998 }),
      ),
    );
    act(() => useStore.getState().refreshGroup("g1"));
    await click("Remind 1 member");
    await waitFor(() => expect(sent[0]?.[2]).toEqual({ memberIds: ["u2"] }));
  });

  it("says so when the waivers can't be read, and reads them again", async () => {
    serve();
    let there = false;
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/waivers`, () =>
        there ? yes({ waivers: [] }) : no(503, "The ledger can't be read now.", "UNAVAILABLE"),
      ),
    );
    show(app, at("unsettled-payments"));
    await screen.findByText("The ledger can't be read now.");
    there = true;
    await click("Try again");
    await waitFor(() => expect(screen.queryByText("The ledger can't be read now.")).toBeNull());
  });
});
