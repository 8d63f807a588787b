import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Unmatched } from "@/api/schema.gen";
import { Finance } from "@/features/money/finance/screens/Finance";
import { useStore } from "@/store/store";
import { ada, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const arrival: Unmatched = {
  id: "x1",
  status: "OPEN",
  channel: "BANK_TRANSFER",
  amount: 5000,
  reference: "VFD0901",
  reason: "No payment of ours has this reference.",
  paidAt: "2026-11-19T10:00:00Z",
  recordedAt: "2026-11-19T10:01:00Z",
};
const back: NonNullable<Unmatched["sendBack"]> = {
  id: "b1",
  version: "v1",
  state: "PROPOSED",
  bankName: "Guaranty Trust Bank",
  accountNumber: "4321",
  accountName: "NGOZI EZE",
  proposedBy: "u3",
  proposerName: "Femi Taiwo",
  mine: false,
  reason: "Nobody here knows her.",
  at: "2026-11-19T12:00:00Z",
};
const to = "NGOZI EZE, Guaranty Trust Bank …4321";

/** The desk with one arrival, which changes as people decide; the refusal is of who proposes that it goes back. */
function desk(first: Unmatched, refusal?: string) {
  const state = { now: first, calls: [] as [string, unknown][] };
  const on = (what: "send-back" | "decide", next: () => Unmatched) =>
    http.post(`${origin}/api/v1/finance/unmatched/x1/${what}`, async ({ request }) => {
      state.calls.push([what, await request.json()]);
      if (refusal) return no(409, refusal);
      state.now = next();
      return yes(state.now, "Recorded.");
    });
  network.use(
    http.get(`${origin}/api/v1/finance/unmatched`, () =>
      yes({ arrivals: [state.now], openCount: 1, openAmount: state.now.amount }),
    ),
    on("send-back", () => ({ ...arrival, status: "PROPOSED", sendBack: { ...back, mine: true } })),
    on("decide", () => ({ ...arrival, status: "LEAVING", sendBack: { ...back, state: "AGREED", version: undefined } })),
  );
  useStore.setState({ session: { ...ada, roles: ["User", "FinanceOps"] }, authenticated: true });
  show(
    <Routes>
      <Route path="/finance" element={<Finance />} />
    </Routes>,
    "/finance?tab=unmatched",
  );
  return state;
}

const click = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

/** Opens the form, and proposes with a reason. */
async function proposes(reason: string) {
  await click("Send it back: VFD0901");
  const dialog = await screen.findByRole("dialog", { name: "Send it back" });
  await userEvent.type(within(dialog).getByLabelText("Why does it go back?"), reason);
  await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
  return dialog;
}

describe("money that goes back to its sender", () => {
  it("shows who claims it, where it is offered and where somebody decides", async () => {
    const claims = [{ disputeId: "d1", number: "AD-ABCD-EFGH", memberName: "Tayo Ade", at: "2026-11-19T13:00:00Z" }];
    desk({ ...arrival, status: "PROPOSED", sendBack: back, claims });
    await screen.findByText("By Tayo Ade, in dispute AD-ABCD-EFGH");
    await click("Agree: VFD0901");
    const dialog = await screen.findByRole("dialog");
    within(dialog).getByText(/Tayo Ade says in dispute AD-ABCD-EFGH that it is theirs\./);
  });

  it("is proposed with a reason alone: nobody types an account", async () => {
    const state = desk(arrival);
    const dialog = await proposes("hm");
    await within(dialog).findByText("Say in at least five letters why it goes back.");
    expect(within(dialog).queryByLabelText("The member's email")).toBeNull();
    expect(within(dialog).getAllByRole("textbox")).toHaveLength(1);
    await userEvent.type(within(dialog).getByLabelText("Why does it go back?"), ", nobody knows her");
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
    await screen.findByText("You proposed it, so somebody else must agree.");
    expect(state.calls).toEqual([["send-back", { reason: "hm, nobody knows her" }]]);
    expect(screen.queryByRole("button", { name: /^Agree/ })).toBeNull();
  });

  it("says why it cannot go back, as where the bank names no account", async () => {
    const sentence = "The bank does not say which account this money came from, so we cannot send it back.";
    desk(arrival, sentence);
    await proposes("Nobody knows her");
    await screen.findByText(sentence);
  });

  it("is left to the gateway where it came by card", async () => {
    desk({ ...arrival, channel: "CARD" });
    await screen.findByText("It came by card: have the gateway refund it, if it is to go back.");
    expect(screen.queryByRole("button", { name: /^Send it back/ })).toBeNull();
  });

  it("goes to the account that who agrees has seen", async () => {
    const state = desk({ ...arrival, status: "PROPOSED", sendBack: back });
    await screen.findByText(`Femi Taiwo proposes: send it back to ${to}`);
    await click("Agree: VFD0901");
    const dialog = await screen.findByRole("dialog", { name: "Send this money back?" });
    expect(dialog.textContent).toContain(`₦5,000.00 goes to ${to}.`);
    state.now = { ...state.now, sendBack: { ...back, version: "v2", accountName: "EVE X" } };
    act(() => useStore.getState().refreshTopics(["desk:finance"]));
    await within(dialog).findByText("This has changed since you looked");
    expect(dialog.textContent).toContain("There is now: Femi Taiwo proposes: send it back to EVE X");
    await userEvent.click(within(dialog).getByRole("button", { name: "Send it back" }));
    await waitFor(() => expect(state.calls).toEqual([["decide", { approve: true, seen: "v1" }]]));
    await screen.findByText("Will be sent back");
  });

  it("shows when it went back, and why it did not", async () => {
    const state = desk({
      ...arrival,
      status: "SENT_BACK",
      sendBack: { ...back, state: "PAID", approverName: "Sade Bello", paidAt: "2026-11-20T09:00:00Z" },
    });
    await screen.findByText(/^Sent back to its sender on 20 Nov/);
    screen.getByText(to);
    screen.getByText(/Agreed by Sade Bello/);
    const problem = "The bank has another name for the account that it came from.";
    state.now = { ...arrival, sendBack: { ...back, state: "FAILED", problem } };
    act(() => useStore.getState().refreshTopics(["desk:finance"]));
    await screen.findByText("Could not be sent back");
    screen.getByText(problem);
    await screen.findByRole("button", { name: "Send it back: VFD0901" });
  });
});
