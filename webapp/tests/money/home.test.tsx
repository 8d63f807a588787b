import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { AgendaRow, Balances, PaymentStart } from "@/api/schema.gen";
import { Dashboard } from "@/features/money/dashboard/screens/Dashboard";
import { lagosDay } from "@/lib/dates";
import { useStore } from "@/store/store";
import { group } from "../kit/groupMoney";
import { account, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const inDays = (count: number) => lagosDay(new Date(Date.now() + count * 86_400_000));
const row = (more: Partial<AgendaRow> = {}): AgendaRow => ({
  id: "due:s1",
  kind: "GROUP_DUE",
  title: "Monthly dues, October 2026",
  place: { kind: "GROUP", id: "g1", name: "Yaba Tech" },
  amount: 5000,
  due: inDays(-3),
  late: true,
  button: "Pay",
  link: "/dashboard/sub-account/payment?groupId=g1&period=2026-10-01&subAccountId=s1",
  ...more,
});
const join = row({
  id: "join",
  kind: "JOIN",
  title: "Bola Ade asks to join",
  amount: undefined,
  due: undefined,
  late: false,
  button: "Decide",
  link: "/savings/g1/members",
});

interface As {
  rows?: AgendaRow[];
  balances?: Partial<Balances>;
  groups?: object[];
  open?: Partial<PaymentStart>[];
}

/** Home of a person, whose rows the test may change. */
function home({ rows = [], balances = {}, groups = [group], open = [] }: As = {}) {
  const waits = { rows };
  const figures = { balance: 20_000, savingsBalance: 7000, groupAjoBalance: 3000, totalBalance: 30_000, ...balances };
  network.use(
    http.get(`${origin}/api/v1/agenda`, () => yes(waits.rows)),
    http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)),
    http.get(`${origin}/api/GroupSavings/GetUserGroupSavings/:id`, () => yes(groups)),
    http.get(`${origin}/api/Ajo/GetUserAjoGroups`, () => yes([])),
    http.get(`${origin}/api/v1/activity`, () => yes({ transactions: [] })),
    http.get(`${origin}/api/v1/wallet/open-payments`, () => yes(open)),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes({ ...account, bvnStatus: "NONE" })),
  );
  show(<Dashboard />);
  return waits;
}

beforeEach(() => {
  signIn();
  useStore.setState({ reads: {}, figuresHidden: false });
});

describe("For you now", () => {
  it("says what waits, how much and when, each with its one button", async () => {
    home({ rows: [row(), row({ id: "due:s2", title: "Welfare, November 2026", due: inDays(0), late: false }), join] });
    const pay = await screen.findByRole("link", { name: "Pay Monthly dues, October 2026" });
    expect(pay.getAttribute("href")).toBe(row().link);
    const list = screen.getAllByRole("listitem");
    expect(list[0]?.textContent).toContain("Yaba Tech · ₦5,000.00 · 3 days late");
    expect(list[1]?.textContent).toContain("· today");
    expect(within(list[2] as HTMLElement).getAllByRole("link")).toHaveLength(1);
  });

  it("shows five rows until more are asked for", async () => {
    home({ rows: Array.from({ length: 8 }, (_, at) => ({ ...join, id: `j${at}` })) });
    await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(5));
    await userEvent.click(screen.getByRole("button", { name: "Show 3 more" }));
    expect(screen.getAllByRole("listitem")).toHaveLength(8);
  });

  it("loses a row by itself, and says in one line that nothing waits", async () => {
    const waits = home({ rows: [row()] });
    await screen.findByRole("link", { name: /^Pay Monthly/ });
    waits.rows = [];
    useStore.getState().refreshTopics(["group:g1"]);
    await screen.findByText("Nothing waits for you. You are up to date.");
  });

  it("goes on with a payment that was started for a due", async () => {
    home({
      rows: [row()],
      open: [
        {
          transactionRef: "r",
          status: "PENDING",
          channel: "BANK_TRANSFER",
          accountNumber: "9912345678",
          subAccountId: "s1",
          monthId: 10,
        },
      ],
    });
    await screen.findByRole("link", { name: "Transfer open · Continue Monthly dues, October 2026" });
  });
});

describe("the figures of Home", () => {
  it("hide behind the eye, and the device remembers it", async () => {
    home({ rows: [row()] });
    await screen.findByText("₦20,000.00");
    fireEvent.click(screen.getByRole("button", { name: "Hide figures" }));
    expect(document.body.textContent).not.toMatch(/₦\d/);
    expect(screen.getAllByRole("img", { name: "Hidden amount" }).length).toBeGreaterThan(3);
    expect(localStorage.getItem("adashi")).toContain('"figuresHidden":true');
    fireEvent.click(screen.getByRole("button", { name: "Show figures" }));
    screen.getByText("₦20,000.00");
  });

  it("are the wallet, savings and ajo, and what is set aside if there is any", async () => {
    home({ balances: { held: 500 } });
    await screen.findByText("₦20,000.00");
    expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual(["Savings", "Ajo", "Set aside"]);
  });

  it("are three steps for a person who is new", async () => {
    home({ balances: { balance: 0, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 0 }, groups: [] });
    await screen.findByRole("heading", { name: "Three steps to begin" });
    expect(screen.getAllByRole("listitem")).toHaveLength(3);
    expect(screen.queryByText(/₦0/)).toBeNull();
  });
});
