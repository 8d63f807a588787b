import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Reserves as Attested, Payout, Reconciliation, Unmatched } from "@/api/schema.gen";
import { FinanceOnly } from "@/app/guards";
import { Sidebar } from "@/app/shell/Sidebar";
import { Finance } from "@/features/money/finance/screens/Finance";
import { Reserves } from "@/features/trust/reserves/screens/Reserves";
import { VerifyStatement } from "@/features/trust/statements/screens/VerifyStatement";
import { useStore } from "@/store/store";
import { ada, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const as = (...roles: string[]) =>
  useStore.setState({ session: { ...ada, roles: ["User", ...roles] }, authenticated: true });

const app = (
  <Routes>
    <Route element={<FinanceOnly />}>
      <Route path="/finance" element={<Finance />} />
    </Route>
  </Routes>
);
const desk = (tab: string) => {
  as("FinanceOps");
  show(app, `/finance?tab=${tab}`);
};
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

const arrival: Unmatched = {
  id: "x1",
  status: "OPEN",
  channel: "BANK_TRANSFER",
  amount: 5000,
  reference: "9912345678",
  reason: "The account belongs to no open payment.",
  paidAt: "2026-11-19T10:00:00Z",
  recordedAt: "2026-11-19T10:01:00Z",
};
const proposal = {
  version: "v1",
  userId: "u2",
  memberName: "Bola A.",
  proposedBy: "u3",
  proposerName: "Femi T.",
  mine: false,
  reason: "The sender's name fits.",
  at: "2026-11-19T12:00:00Z",
};
const returned = { ...proposal, userId: "", memberName: "", payoutId: "7c1f8a52-90d5-4d52-8f8e-2f0f8a1c9e11" };
const reserves: Attested = {
  id: "r1",
  at: "2026-11-20T05:00:00Z",
  position: 18204,
  owed: 2500000,
  held: 2505000,
  inTransit: 0,
  difference: "0.00",
  unmatched: 5000,
  covered: true,
  rails: [{ name: "vfd", bank: 2505000, ledger: 2505000 }],
};

/** The arrivals, which change as people decide. */
function unmatched(first: Unmatched) {
  const state = { now: first, calls: [] as [string, unknown][] };
  const on = (what: "propose" | "return" | "decide", next: () => Unmatched) =>
    http.post(`${origin}/api/v1/finance/unmatched/x1/${what}`, async ({ request }) => {
      state.calls.push([what, await request.json()]);
      state.now = next();
      return yes(state.now, "Recorded.");
    });
  network.use(
    http.get(`${origin}/api/v1/finance/unmatched`, () =>
      yes({ arrivals: [state.now], openCount: 1, openAmount: state.now.amount }),
    ),
    on("propose", () => ({ ...arrival, status: "PROPOSED", proposal: { ...proposal, mine: true } })),
    on("return", () => ({ ...arrival, status: "PROPOSED", proposal: { ...returned, mine: true } })),
    on("decide", () => ({ ...arrival, status: "ASSIGNED", proposal: { ...proposal, approverName: "Ada O." } })),
  );
  return state;
}

describe("the finance desk", () => {
  it.each([
    ["Support", false],
    ["FinanceOps", true],
    ["Admin", true],
  ])("is there for %s: %s", (role, there) => {
    unmatched(arrival);
    as(role);
    show(app, "/finance");
    expect(Boolean(screen.queryByRole("heading", { name: "Finance desk" }))).toBe(there);
    show(<Sidebar />, "/dashboard");
    expect(Boolean(screen.queryByRole("link", { name: /Finance desk/ }))).toBe(there);
  });

  it("proposes whose money it is, and leaves the agreeing to another", async () => {
    const state = unmatched(arrival);
    desk("unmatched");
    await screen.findByText("1 arrival waits for an owner, ₦5,000.00 in all.");
    await click("Propose whose it is: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "Propose whose it is" });
    await userEvent.type(within(dialog).getByLabelText("The member's email"), "bola@example.com");
    await userEvent.type(within(dialog).getByLabelText("How do you know?"), "hm");
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
    await within(dialog).findByText("Say in at least five letters how you know.");
    expect(state.calls).toEqual([]);
    await userEvent.type(within(dialog).getByLabelText("How do you know?"), ", the name fits");
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
    await screen.findByText("You proposed it, so somebody else must agree.");
    expect(state.calls).toEqual([["propose", { email: "bola@example.com", reason: "hm, the name fits" }]]);
    expect(screen.queryByRole("button", { name: /^Agree/ })).toBeNull();
  });

  it("credits the member once another means it", async () => {
    const state = unmatched({ ...arrival, status: "PROPOSED", proposal });
    desk("unmatched");
    await click("Agree: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "Credit this member?" });
    expect(dialog.textContent).toContain("₦5,000.00 goes into the wallet of Bola A.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Credit the member" }));
    await screen.findByText(/Agreed by Ada O\./);
    expect(state.calls).toEqual([["decide", { approve: true, seen: "v1" }]]);
  });

  it("agrees to the proposal that the dialog shows, though another took its place meanwhile", async () => {
    const state = unmatched({ ...arrival, status: "PROPOSED", proposal });
    desk("unmatched");
    await click("Agree: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "Credit this member?" });
    state.now = { ...state.now, proposal: { ...proposal, version: "v2", userId: "u9", memberName: "Eve X." } };
    act(() => useStore.getState().refreshTopics(["desk:finance"]));
    await within(dialog).findByText("This has changed since you looked");
    expect(dialog.textContent).toContain("You saw: Femi T. proposes: it is Bola A.'s");
    expect(dialog.textContent).toContain("There is now: Femi T. proposes: it is Eve X.'s");
    await userEvent.click(within(dialog).getByRole("button", { name: "Credit the member" }));
    await waitFor(() => expect(state.calls).toEqual([["decide", { approve: true, seen: "v1" }]]));
  });

  it("proposes that it is the return of a payout, and leaves the agreeing to another", async () => {
    const state = unmatched(arrival);
    desk("unmatched");
    await click("It is a payout's return: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "It is a payout's return" });
    await userEvent.type(within(dialog).getByLabelText("How do you know?"), "The bank's letter");
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
    await within(dialog).findByText("Type the payout's number or reference.");
    expect(state.calls).toEqual([]);
    const which = within(dialog).getByLabelText("The payout's number, or its reference at the bank");
    await userEvent.type(which, ` ${returned.payoutId}`);
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose" }));
    await screen.findByText("Femi T. proposes: it is the return of payout …8a1c9e11");
    expect(state.calls).toEqual([["return", { payoutId: returned.payoutId, reason: "The bank's letter" }]]);
    expect(screen.queryByRole("button", { name: /^Agree/ })).toBeNull();
  });

  it("takes money for a payout's return once another means it", async () => {
    const state = unmatched({ ...arrival, status: "PROPOSED", proposal: returned });
    desk("unmatched");
    await click("Agree: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "Is this the payout's return?" });
    expect(dialog.textContent).toContain("₦5,000.00 leaves suspense as the return of payout …8a1c9e11.");
    await userEvent.click(within(dialog).getByRole("button", { name: "It is the return" }));
    await waitFor(() => expect(state.calls).toEqual([["decide", { approve: true, seen: "v1" }]]));
  });

  it("declines with a reason and not without", async () => {
    const state = unmatched({ ...arrival, status: "PROPOSED", proposal });
    desk("unmatched");
    await click("Decline: 9912345678");
    const dialog = await screen.findByRole("dialog", { name: "Decline this proposal" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Decline" }));
    await within(dialog).findByText("Say why: who proposed it reads this.");
    await userEvent.type(within(dialog).getByLabelText("Why not?"), "Another Bola");
    await userEvent.click(within(dialog).getByRole("button", { name: "Decline" }));
    const said = { approve: false, seen: "v1", reason: "Another Bola" };
    await waitFor(() => expect(state.calls).toEqual([["decide", said]]));
  });

  it("reconciles now and shows each difference with its age", async () => {
    const run = (id: string, more: Partial<Reconciliation> = {}): Reconciliation => ({
      id,
      startedAt: "2026-11-20T05:00:00Z",
      finishedAt: "2026-11-20T05:01:00Z",
      trigger: "DAILY",
      balanced: true,
      reserves,
      items: [],
      ...more,
    });
    const item = {
      kind: "BANK_ONLY" as const,
      rail: "vfd",
      reference: "ref-9",
      amount: 500,
      direction: "IN" as const,
      at: "2026-11-17T05:00:00Z",
      ageHours: 72,
      words: "The bank has it and we were never told.",
    };
    let runs = [run("k1")];
    network.use(
      http.get(`${origin}/api/v1/finance/reconciliations`, () => yes({ reconciliations: runs })),
      http.get(`${origin}/api/v1/finance/reconciliations/:id`, ({ params }) =>
        yes(run(String(params.id), { items: params.id === "k2" ? [item] : [] })),
      ),
      http.post(`${origin}/api/v1/finance/reconciliations`, () => {
        runs = [run("k2", { balanced: false, trigger: "ON_DEMAND" }), ...runs];
        return yes(runs[0], "Reconciled.");
      }),
    );
    desk("reconciliation");
    await screen.findByText("No differences.");
    await click("Reconcile now");
    await screen.findByText("The bank has it and we were never told.");
    expect(screen.getByText("Differences")).toBeTruthy();
    expect(screen.getByText("The bank alone has it")).toBeTruthy();
    expect(screen.getByText(/Age: 3 days/)).toBeTruthy();
  });

  const payout: Payout = {
    id: "w1",
    status: "SENT",
    amount: 120000,
    net: 119896.25,
    requestedAt: "2026-11-20T05:00:00Z",
    tries: 3,
    doubtful: true,
  };
  const NEWS = "Something has changed here since you looked.";

  /** The payouts as they are; how often they were asked for. */
  const payouts = (...first: Payout[]) => {
    const served = { now: first, next: undefined as string | undefined, reads: 0 };
    network.use(
      http.get(`${origin}/api/v1/finance/payouts`, () => {
        served.reads += 1;
        return yes({ payouts: served.now, count: served.now.length, amount: 119896.25, next: served.next });
      }),
    );
    return served;
  };

  it("asks about a payout in doubt, and shows what the bank said", async () => {
    payouts(payout);
    network.use(
      http.post(`${origin}/api/v1/finance/payouts/w1/query`, () =>
        yes({ ...payout, status: "PAID", tries: 4, answer: "Completed", doubtful: false }, "It is paid."),
      ),
    );
    desk("payouts");
    await screen.findByText("Older than it should be");
    await click("Ask the bank now: w1");
    await screen.findByText("Paid");
    expect(screen.getByText("Completed")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Ask the bank now: w1" })).toBeNull();
    expect(screen.queryByText(NEWS)).toBeNull();
  });

  it.each([
    ["one comes", [payout, { ...payout, id: "w3" }], false],
    ["one ends", [payout], true],
    ["one comes while one ends", [payout, { ...payout, id: "w3" }], true],
    ["one is sent", [payout, { ...payout, id: "w2", status: "SENT" } as Payout], true],
  ] as [string, Payout[], boolean][])(
    "says that payouts changed when %s, and moves none by itself",
    async (_, then, two) => {
      const asked: Payout = { ...payout, id: "w2", status: "REQUESTED" };
      const served = payouts(payout, ...(two ? [asked] : []));
      desk("payouts");
      await screen.findByRole("button", { name: "Ask the bank now: w1" });
      act(() => useStore.getState().refreshTopics(["desk:finance"]));
      await waitFor(() => expect(served.reads).toBe(3));
      expect(screen.queryByText(NEWS)).toBeNull();
      served.now = then;
      act(() => useStore.getState().refreshTopics(["desk:finance"]));
      await screen.findByText(NEWS);
      expect(document.querySelectorAll("[data-payout]")).toHaveLength(two ? 2 : 1);
      await click("Look again");
      await waitFor(() => expect(screen.queryByText(NEWS)).toBeNull());
      expect(document.querySelectorAll("[data-payout]")).toHaveLength(then.length);
    },
  );

  it("looks a member up for a case, and sets the tier once one means it", async () => {
    const calls: unknown[] = [];
    const bola = { version: "m1", userId: "u2", name: "Bola A.", tier: 1, bvnVerified: true, utilityBill: true };
    network.use(
      http.post(`${origin}/api/v1/finance/members/look-up`, async ({ request }) => {
        calls.push(await request.json());
        return yes(bola);
      }),
      http.post(`${origin}/api/v1/finance/members/tier`, async ({ request }) => {
        calls.push(await request.json());
        return yes({ ...bola, tier: 3 }, "Set.");
      }),
    );
    desk("members");
    await userEvent.type(screen.getByLabelText("Email"), "bola@example.com");
    await click("Look up");
    await screen.findByText("Say in at least three letters what it is for.");
    await userEvent.type(screen.getByLabelText("Case"), "case 12");
    await click("Look up");
    await screen.findByRole("heading", { name: "Bola A." });
    await userEvent.selectOptions(screen.getByLabelText("Tier"), "3");
    await click("Set tier");
    const dialog = await screen.findByRole("dialog", { name: "Set this tier?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Set tier" }));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls).toEqual([
      { email: "bola@example.com", case: "case 12" },
      { email: "bola@example.com", seen: "m1", tier: 3, case: "case 12" },
    ]);
  });
});

describe("proof of reserves", () => {
  it("says in plain words whether the banks hold what is owed", async () => {
    as();
    const short = { ...reserves, id: "r0", covered: false, held: 1 };
    network.use(http.get(`${origin}/api/v1/reserves`, () => yes([reserves, short])));
    show(<Reserves />, "/dashboard/reserves");
    await screen.findByText(/^Covered: the banks hold at least what we owe/);
    expect(screen.getByText("Not covered")).toBeTruthy();
    expect(screen.getByRole("row", { name: "vfd ₦2,505,000.00 ₦2,505,000.00" })).toBeTruthy();
  });

  it("says what comes when there is none yet", async () => {
    as();
    network.use(http.get(`${origin}/api/v1/reserves`, () => yes([])));
    show(<Reserves />, "/dashboard/reserves");
    await screen.findByText("No count has been taken yet");
  });
});

describe("a statement's code", () => {
  const verify = (at: string) =>
    show(
      <Routes>
        <Route path="/verify-statement/:code?" element={<VerifyStatement />} />
      </Routes>,
      at,
    );
  const facts = {
    code: "ABCD-1234",
    holder: "Ada O.",
    from: "2026-10-01",
    to: "2026-10-31",
    opening: 1000,
    closing: 2500,
    moneyIn: 2000,
    moneyOut: 500,
    movements: 12,
    position: 18204,
    issuedAt: "2026-11-01T10:00:00Z",
    sha256: "c".repeat(64),
  };

  it("typed by whoever was handed it, says what we issued", async () => {
    network.use(http.get(`${origin}/api/v1/statements/ABCD-1234`, () => yes(facts)));
    verify("/verify-statement");
    await click("Verify");
    await screen.findByText("Type the code first.");
    await userEvent.type(screen.getByLabelText("Verification code"), " ABCD-1234 {Enter}");
    await screen.findByText("We issued this statement");
    expect(screen.getByText("Ada O.")).toBeTruthy();
    expect(screen.getByText("1 Oct 2026 to 31 Oct 2026")).toBeTruthy();
    expect(screen.getByTestId("place").textContent).toBe("/verify-statement/ABCD-1234");
  });

  it("of a receipt says what became of its payment since", async () => {
    const receipt = {
      title: "Welfare contribution",
      amount: 777,
      direction: "OUT",
      date: facts.issuedAt,
      reference: "R1",
    };
    const state = "The group gave this money back on 2 November 2026.";
    network.use(
      http.get(`${origin}/api/v1/statements/ABCD-1234`, () => yes({ ...facts, receipt: { ...receipt, state } })),
    );
    verify("/verify-statement/ABCD-1234");
    await screen.findByText(state);
    await screen.findByText("We issued this receipt");
  });

  it("that we never issued is told, and can be typed again", async () => {
    network.use(http.get(`${origin}/api/v1/statements/:code`, () => no(404, "There is none.", "NOT_FOUND")));
    verify("/verify-statement/ABCD-9999");
    await screen.findByText("We never issued anything with this code");
    expect(screen.getByLabelText("Verification code")).toHaveProperty("value", "ABCD-9999");
  });
});

describe("what members owe", () => {
  it("is written off by two, the second of whom names what they saw", async () => {
    const proposal = {
      version: "p1",
      proposedBy: "u3",
      proposerName: "Femi T.",
      mine: false,
      reason: "They have died.",
    };
    let asked: unknown;
    network.use(
      http.get(`${origin}/api/v1/finance/debts`, () =>
        yes({
          debts: [{ userId: "member-123456", amount: 4000, since: "2026-11-19T10:00:00Z", proposal }],
          count: 1,
          amount: 4000,
          locked: [{ userId: "member-654321", since: "2026-11-19T10:00:00Z" }],
        }),
      ),
      http.post(`${origin}/api/v1/finance/debts/member-123456/decide`, async ({ request }) => {
        asked = await request.json();
        return yes({ userId: "member-123456", amount: 0, since: "2026-11-19T10:00:00Z" });
      }),
    );
    desk("debts");
    await screen.findByText("1 member owes ₦4,000.00 in all.");
    screen.getByText("Card payments closed");
    await click(/Write it off: 123456/);
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Write it off" }));
    await waitFor(() => expect(asked).toEqual({ approve: true, seen: "p1" }));
  });
});
