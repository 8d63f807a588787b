import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GroupPayment, PaymentGrid, SubAccount } from "@/api/schema.gen";
import { moved } from "@/features/groups/dues/parts/periods";
import { useStore } from "@/store/store";
import { app, at, click, due, serve, sub } from "../kit/groupMoney";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

beforeEach(() => {
  signIn();
  // Nothing has a height here: what scrolls is given that of a screen.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
});
afterEach(() => vi.restoreAllMocks());

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

  it("is one of the views of the payments; each has an address, and the grid is the officials'", async () => {
    serve();
    book(2);
    const views = () =>
      within(screen.getByRole("navigation", { name: "Which payments?" }))
        .getAllByRole("link")
        .map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("aria-current")]);
    const { unmount } = show(app, at("members-payments"));
    await screen.findByRole("table");
    expect(views()).toEqual([
      ["Owed", "/savings/g1/unsettled-payments", null],
      ["Paid", "/savings/g1/my-payments", null],
      ["Month by month", "/savings/g1/members-payments", "page"],
    ]);
    const tab = screen.getByRole("link", { name: "Payments" });
    expect(tab.getAttribute("aria-current")).toBe("page");
    unmount();
    useStore.setState({ reads: {} });
    serve({ role: "MEMBER" });
    show(app, at("unsettled-payments"));
    await screen.findByText("You owe nothing now.");
    expect(views()).toEqual([
      ["Owed", "/savings/g1/unsettled-payments", "page"],
      ["Paid", "/savings/g1/my-payments", null],
    ]);
  });

  it("is the officials' alone: a member is led to their own payments", async () => {
    serve({ role: "MEMBER" });
    const asked = book(2);
    show(app, at("members-payments"));
    const own = await screen.findByRole("link", { name: "Your payments" });
    expect(own.getAttribute("href")).toBe("/savings/g1/my-payments");
    expect(screen.queryByRole("button", { name: "Download the book" })).toBeNull();
    expect(asked).toEqual([]);
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

  it("stands in the list with what is left of what was collected, or with one's own where the rest is hidden", async () => {
    serve();
    network.use(
      http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
        yes({
          groupSavingsId: "g1",
          groupName: "Balogun Traders",
          SubAccounts: [withMoney, { ...sub, id: "s2", totalHidden: true, myTotal: 7000, mySavings: 4000 }],
        }),
      ),
    );
    show(app, at("sub-accounts"));
    await screen.findByText("of ₦100,000.00 collected");
    const rows = screen.getAllByRole("link", { name: /Monthly dues/ });
    expect(rows[0]?.textContent).toContain("20 payments");
    expect(rows.map((row) => row.querySelector("[data-in-it] [data-naira]")?.getAttribute("data-naira"))).toEqual([
      "₦90,000.00",
      "₦4,000.00",
    ]);
    expect(rows[1]?.textContent).toContain("Your savings");
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
