import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Due, Group, GroupPayment, PaymentGrid, SubAccount, UnsettledPage, Waiver } from "@/api/types";
import { moved } from "@/features/savings/money/periods";
import { MembersPayments } from "@/features/savings/screens/MembersPayments";
import { MyPayments } from "@/features/savings/screens/MyPayments";
import { SubAccountPage } from "@/features/savings/screens/SubAccountPage";
import { UnsettledPayments } from "@/features/savings/screens/UnsettledPayments";
import { useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "./help";
import { network } from "./setup";

const group: Group = {
  id: "g1",
  name: "Balogun Traders",
  description: "",
  amount: 5000,
  memberCapacity: 50,
  memberCount: 3,
  startMonth: "January",
  startMonthId: 1,
  status: "ACTIVE",
  missing: [],
  ownerId: ada.id,
  role: "OWNER",
  memberStatus: "ACTIVE",
  totalHidden: false,
  userTotalSavings: 5000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 1,
  dueThisMonth: 3,
  dateCreated: "2026-01-05T09:00:00Z",
};
const due = (more: Partial<Due> = {}): Due => ({
  subAccountId: "s1",
  subAccountName: "Monthly dues",
  groupId: "g1",
  groupName: group.name,
  period: "2026-10-01",
  label: "October 2026",
  monthId: 10,
  dueDate: "2026-10-31",
  amount: 5000,
  paid: 0,
  outstanding: 5000,
  status: "OVERDUE",
  ...more,
});
const sub: SubAccount = {
  id: "s1",
  groupSavingsId: "g1",
  name: "Monthly dues",
  description: "",
  paymentType: "FIXED",
  paymentFrequency: "MONTHLY",
  amountPayable: 5000,
  totalHidden: false,
  showTotalToMembers: true,
  memberPayments: [],
  myTotal: 5000,
  dues: [],
};
const debtor = (at: number): UnsettledPage["members"][number] => ({
  userId: `u${at}`,
  name: `Member ${at}`,
  outstanding: 10_000 - at,
  penalties: 0,
  dues: 2,
  oldest: "2026-09-30",
});

type Sent = [path: string, key: string | null, body: unknown];

/** A group's back end, with what was written to it. */
function serve(as: Partial<Group> = {}, own: Due[] = []) {
  const sent: Sent[] = [];
  const keep = async (request: Request) => {
    sent.push([
      new URL(request.url).pathname,
      request.headers.get("Idempotency-Key"),
      await request.json().catch(() => undefined),
    ]);
  };
  network.use(
    http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () => yes({ ...group, ...as })),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({
        groupSavingsId: "g1",
        groupName: group.name,
        SubAccounts: [{ ...sub, totalHidden: as.totalHidden ?? false }],
      }),
    ),
    http.get(`${origin}/api/GroupSavings/user-unsettled-payments/g1/:user`, ({ params }) =>
      yes({
        total: params.user === ada.id ? own.reduce((sum, { outstanding }) => sum + outstanding, 0) : 5000,
        dues: params.user === ada.id ? own : [due()],
      }),
    ),
    http.get(`${origin}/api/v1/savings/groups/g1/waivers`, () => yes({ waivers: [] })),
    http.get(`${origin}/api/v1/savings/groups/g1/unsettled`, () =>
      yes({ members: [debtor(1), debtor(2), { ...debtor(3), remindedToday: true }], count: 3, total: 29_994 }),
    ),
    http.post(`${origin}/api/v1/savings/groups/g1/remind`, async ({ request }) => {
      await keep(request);
      return yes({ reminded: 1 }, "Reminded.");
    }),
    http.post(`${origin}/api/v1/savings/waivers`, async ({ request }) => {
      await keep(request);
      return yes({ id: "w1" }, "Asked.");
    }),
  );
  return { sent, keep };
}

const app = (
  <Routes>
    <Route path="/savings/:id/unsettled-payments" element={<UnsettledPayments />} />
    <Route path="/savings/:id/members-payments" element={<MembersPayments />} />
    <Route path="/savings/:id/my-payments" element={<MyPayments />} />
    <Route path="/savings/sub-account/:id" element={<SubAccountPage />} />
  </Routes>
);
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const at = (page: string) => `/savings/g1/${page}`;

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
    await click("See what Member 1 owes");
    await click("Write off: Monthly dues, October 2026");
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
    await click("See what Member 1 owes");
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
    expect(sent.map(([, , body]) => body)).toEqual([{ approve: true }]);
  });
});

describe("the grid", () => {
  const months = ["2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11"];
  const periods = months.map((month) => ({ period: `${month}-01`, label: month, dueDate: `${month}-28` }));
  const statuses = ["PAID", "WAIVED", "WRITTEN_OFF", "PARTIAL", "OVERDUE", "DUE"] as const;
  const row = (at: number): PaymentGrid["rows"][number] => ({
    userId: `u${at}`,
    name: `Member ${at}`,
    total: 5000,
    cells: statuses.map((status) => ({ status, paid: status === "PAID" ? 5000 : 0, amount: 5000 })),
  });

  function book(count: number) {
    const asked: URLSearchParams[] = [];
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/grid`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query);
        const from = Number(query.get("before") ?? 0);
        const rows = Array.from({ length: Math.min(100, count - from) }, (_, place) => row(from + place));
        const next = from + 100 < count ? String(from + 100) : undefined;
        return yes({ subAccountId: "s1", subAccountName: sub.name, periods, rows, count, next });
      }),
    );
    return asked;
  }

  it("says in words how each member stands in each period", async () => {
    serve();
    book(2);
    show(app, at("members-payments"));
    const first = await screen.findByRole("row", { name: /^Member 0/ });
    expect([...first.querySelectorAll("[data-cell]")].map((cell) => cell.textContent)).toEqual([
      "Paid₦5,000",
      "Waived₦5,000",
      "Written off₦5,000",
      "Partly₦5,000",
      "Overdue₦5,000",
      "Due₦5,000",
    ]);
    expect(screen.getByRole("rowheader", { name: /Member 1/ })).toBeTruthy();
  });

  it("keeps but a few of ten thousand members on the page", async () => {
    serve();
    const asked = book(10_000);
    show(app, at("members-payments"));
    await screen.findByText("10,000 members");
    const table = screen.getByRole("table");
    expect(table.getAttribute("aria-rowcount")).toBe("10001");
    const rows = screen.getAllByRole("row").length;
    expect(rows).toBeGreaterThan(10);
    expect(rows).toBeLessThan(60);
    expect(asked).toHaveLength(1);
  });

  it("moves a page of periods back, to the middle of the first wanted", async () => {
    serve();
    const asked = book(1);
    show(app, at("members-payments"));
    await click("← Earlier");
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]?.get("from")).toBe("2025-12-15");
    expect(document.activeElement?.textContent).toContain("Earlier");
  });

  it.each([
    [["2026-01-01", "2026-02-01", "2026-03-01"], "2025-10-20", "2026-04-15"],
    [["2026-11-02", "2026-11-09"], "2026-10-23", "2026-11-20"],
    [["2026-11-02"], undefined, undefined],
  ])("of %j knows where the ones before and after begin", (days, before, after) => {
    const shown = days.map((period) => ({ period }));
    expect([moved(shown, -1), moved(shown, 1)]).toEqual([before, after]);
  });

  it("hands out the book as CSV, and says so when it can't", async () => {
    serve();
    book(1);
    let answers = true;
    const asked: string[] = [];
    const kept: string[] = [];
    URL.createObjectURL = vi.fn(() => "blob:book");
    URL.revokeObjectURL = vi.fn();
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/book.csv`, ({ request }) => {
        asked.push(new URL(request.url).search);
        return answers
          ? new HttpResponse("day,amount", { headers: { "Content-Type": "text/csv" } })
          : no(403, "Not you.");
      }),
    );
    show(app, at("members-payments"));
    await click("Download the book");
    answers = false;
    await click("Download CSV");
    await screen.findByText("Not you.");
    answers = true;
    await click("Download CSV");
    await waitFor(() => expect(kept).toEqual(["adashi-balogun-traders-book.csv"]));
    expect(asked).toHaveLength(2);
  });
});

describe("the history", () => {
  const payment = (id: string, more: Partial<GroupPayment> = {}): GroupPayment => ({
    id,
    userId: ada.id,
    name: "Ada O.",
    subAccountId: "s1",
    subAccountName: "Monthly dues",
    amount: 5000,
    channel: "WALLET",
    date: "2026-11-02T10:00:00Z",
    settled: [{ period: "2026-11-01", label: "November 2026", amount: 5000 }],
    reversed: false,
    mark: "VALIDATED",
    ...more,
  });

  function histories() {
    const asked: unknown[] = [];
    network.use(
      http.post(`${origin}/api/GroupSavings/savings-payment-history`, async ({ request }) => {
        asked.push(await request.json());
        return yes({ payments: [payment("p1")], count: 1, total: 5000 });
      }),
      http.get(`${origin}/api/GroupSavings/savings-payment-history-admin/g1`, ({ request }) => {
        asked.push(`admin${new URL(request.url).search}`);
        const other = payment("p2", { userId: "u2", name: "Bola A.", mark: "QUERIED", amount: 700 });
        return yes({ payments: [payment("p1"), other], count: 2, total: 5700 });
      }),
    );
    return asked;
  }

  it("shows one's own, and everybody's to an official", async () => {
    serve();
    const asked = histories();
    show(app, at("my-payments"));
    const own = await screen.findByRole("link", { name: /Monthly dues/ });
    expect(own.getAttribute("href")).toBe("/dashboard/activity/p1");
    expect(own.textContent).toContain("for November 2026");
    expect(own.textContent).toContain("Validated");
    await click("Everybody's");
    await screen.findByText("Bola A.");
    expect(screen.getByText("Paid in all · 2 payments")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /Bola/ })).toBeNull();
    expect(asked).toEqual([{ groupId: "g1", userId: ada.id, all: false, limit: 50 }, "admin?limit=50"]);
  });

  it("never offers everybody's where the owner hides the total", async () => {
    serve({ role: "MEMBER", totalHidden: true });
    histories();
    show(app, at("my-payments"));
    await screen.findByText("Paid in all · 1 payment");
    expect(screen.queryByRole("button", { name: "Everybody's" })).toBeNull();
  });

  it("follows by itself when the group moves", async () => {
    serve({ role: "MEMBER" });
    histories();
    show(app, at("my-payments"));
    await screen.findByText("Paid in all · 1 payment");
    network.use(
      http.post(`${origin}/api/GroupSavings/savings-payment-history`, () =>
        yes({ payments: [payment("p3"), payment("p1")], count: 2, total: 10_000 }),
      ),
    );
    act(() => useStore.getState().refreshTopics(["group:g1"]));
    await screen.findByText("Paid in all · 2 payments");
  });
});

describe("a sub-account", () => {
  const withMoney: SubAccount = {
    ...sub,
    balance: 90_000,
    held: 10_000,
    totalAmountContributed: 100_000,
    numberOfPayments: 20,
  };

  it("says what is in it, what is set aside and what being late costs", async () => {
    serve();
    network.use(
      http.get(`${origin}/api/GroupSavings/sub-account/s1/${ada.id}`, () =>
        yes({ ...withMoney, lateTerms: "3 days of grace, then ₦500.00 once.", dues: [due({ waived: 200 })] }),
      ),
    );
    show(app, "/savings/sub-account/s1");
    await screen.findByText("₦10,000.00 more is set aside for payouts");
    expect(screen.getByText("3 days of grace, then ₦500.00 once.")).toBeTruthy();
    expect(screen.getByText("₦200.00 need not be paid")).toBeTruthy();
  });

  it("lets one pay for a friend, never more than they owe, and only once one agreed", async () => {
    serve();
    const sent: unknown[] = [];
    network.use(
      http.get(`${origin}/api/GroupSavings/sub-account/s1/${ada.id}`, () => yes(withMoney)),
      http.get(`${origin}/api/Wallet/get-user-balance`, () =>
        yes({ balance: 50_000, totalBalance: 50_000, groupAjoBalance: 0, savingsBalance: 0 }),
      ),
      http.get(`${origin}/api/GroupSavings/member-savings/g1`, () =>
        yes({
          members: [
            { userId: ada.id, firstName: "Ada", lastName: "Obi", role: "OWNER", status: "ACTIVE", paidThisMonth: true },
            {
              userId: "u2",
              firstName: "Bola",
              lastName: "Ade",
              role: "MEMBER",
              status: "ACTIVE",
              paidThisMonth: false,
            },
          ],
          count: 2,
        }),
      ),
      http.get(`${origin}/api/v1/savings/cover`, () => yes({ total: 5000, dues: [due()] })),
      http.post(`${origin}/api/v1/savings/cover`, async ({ request }) => {
        sent.push(await request.json());
        return yes({ id: "p9", transactionRef: "r", amount: 3000, position: 7, settled: [] }, "Paid.");
      }),
    );
    show(app, "/savings/sub-account/s1");
    await click("Pay for a friend");
    const dialog = await screen.findByRole("dialog", { name: "Pay for a friend" });
    await userEvent.click(await within(dialog).findByRole("button", { name: /Bola Ade/ }));
    expect(within(dialog).queryByText(/Ada Obi/)).toBeNull();
    const amount = await within(dialog).findByLabelText("How much do you pay?");
    expect((amount as HTMLInputElement).value).toBe("5,000.00");
    await userEvent.clear(amount);
    await userEvent.type(amount, "6000");
    await userEvent.click(within(dialog).getByRole("button", { name: "Review" }));
    await within(dialog).findByText("At most what is owed: ₦5,000.00.");
    await userEvent.clear(amount);
    await userEvent.type(amount, "3000");
    await userEvent.click(within(dialog).getByRole("button", { name: "Review" }));
    expect(sent).toEqual([]);
    await userEvent.click(await within(dialog).findByRole("button", { name: "Pay ₦3,000.00" }));
    await within(dialog).findByText("₦3,000.00 is paid for Bola Ade.");
    expect(sent).toEqual([{ subAccountId: "s1", memberId: "u2", amount: 3000, userId: ada.id }]);
  });

  it("offers no cover where others' payments are hidden", async () => {
    serve({ role: "MEMBER" });
    network.use(
      http.get(`${origin}/api/GroupSavings/sub-account/s1/${ada.id}`, () => yes({ ...sub, totalHidden: true })),
    );
    show(app, "/savings/sub-account/s1");
    await screen.findByRole("button", { name: "Request fund" });
    expect(screen.queryByRole("button", { name: "Pay for a friend" })).toBeNull();
  });
});
