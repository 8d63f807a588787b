import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Due, PaymentReceipt, PaymentStart } from "@/api/schema.gen";
import { OwnDues } from "@/features/groups/dues/parts/OwnDues";
import { SubAccountPayment } from "@/features/money/payments/screens/SubAccountPayment";
import { moneyTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { due, group, sub } from "../kit/groupMoney";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const soon = new Date(Date.now() + 1_800_000).toISOString();
const transfer = (more: Partial<PaymentStart> = {}): PaymentStart => ({
  transactionRef: "ref-1",
  status: "PENDING",
  channel: "BANK_TRANSFER",
  amount: 5000,
  extraCharges: 0,
  total: 5000,
  dateCreated: "2026-11-20T10:00:00Z",
  expiresAt: soon,
  accountNumber: "9912345678",
  accountName: "Adashi / Monthly dues",
  bankName: "VFD",
  subAccountId: "s1",
  groupId: "g1",
  monthId: 10,
  purpose: "Monthly dues",
  ...more,
});
const receipt: PaymentReceipt = { id: "m1", transactionRef: "t1", amount: 5000, position: 9, settled: [] };
const months = [
  due(),
  due({ period: "2026-11-01", label: "November 2026", monthId: 11, status: "DUE", dueDate: "2026-11-30" }),
  due({ period: "2026-12-01", label: "December 2026", monthId: 12, status: "SCHEDULED", dueDate: "2026-12-31" }),
];

interface As {
  balance?: number;
  dues?: Due[];
  open?: PaymentStart[];
  pay?: (tries: number) => Response;
  start?: () => Response;
  verify?: () => Response;
}

/** A back end where one pays, with what was sent to it. */
function serve({ balance = 20_000, dues = months, open = [], pay, start, verify }: As = {}) {
  const sent: [path: string, body: Record<string, unknown>][] = [];
  const post = (path: string, reply: (tries: number) => Response) =>
    http.post(origin + path, async ({ request }) => {
      sent.push([path, (await request.json()) as Record<string, unknown>]);
      return reply(sent.filter(([one]) => one === path).length);
    });
  const state = { open };
  const figures = { balance, savingsBalance: 0, groupAjoBalance: 0, totalBalance: balance, held: 0 };
  network.use(
    http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)),
    http.get(`${origin}/api/v1/wallet/cards`, () => yes([])),
    http.get(`${origin}/api/v1/wallet/open-payments`, () => yes(state.open)),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({ groupName: group.name, SubAccounts: [{ ...sub, dues }] }),
    ),
    http.get(`${origin}/api/Wallet/GetUserWalletTransactions`, () => yes({ transactions: [] })),
    post("/api/Wallet/make-payment-with-wallet", pay ?? (() => yes(receipt, "Payment made"))),
    post("/api/GroupSavings/SubAccountPaymentVfd", start ?? (() => yes(transfer()))),
    post("/api/Payment/verifyFirstTransaction", verify ?? (() => yes(transfer()))),
  );
  return { sent, state };
}

const page = "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1";
const open = (more = "") => show(<SubAccountPayment />, page + more);
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const click = async (name: string | RegExp) => userEvent.click(await button(name));
const paths = (sent: [string, unknown][]) => sent.map(([path]) => path);

describe("the pay page", () => {
  beforeEach(() => {
    signIn();
    useStore.setState({ reads: {}, payments: {} });
  });

  it("says first what for, and pays the oldest due from a wallet that holds enough with one tap", async () => {
    const { sent } = serve();
    open();
    await screen.findByText("Balogun Traders");
    screen.getByText("Monthly dues");
    screen.getByText("October 2026");
    expect((screen.getByRole("radio", { name: /Your wallet/ }) as HTMLInputElement).checked).toBe(true);
    await click("Pay ₦5,000.00");
    await screen.findByText("Paid");
    expect(sent).toEqual([
      [
        "/api/Wallet/make-payment-with-wallet",
        { amount: 5000, subAccountId: "s1", monthId: 10, period: "2026-10-01", userId: "person-ada" },
      ],
    ]);
  });

  it("chooses the transfer where the wallet does not hold enough, and shows the account at once", async () => {
    const { sent } = serve({ balance: 0 });
    open();
    await screen.findByText("October 2026");
    expect((screen.getByRole("radio", { name: /Bank transfer/ }) as HTMLInputElement).checked).toBe(true);
    await click("Pay ₦5,000.00");
    await screen.findByText("9912345678");
    expect(sent[0]).toEqual([
      "/api/GroupSavings/SubAccountPaymentVfd",
      {
        amount: 5000,
        channel: "BANK_TRANSFER",
        subAccountId: "s1",
        monthId: 10,
        period: "2026-10-01",
        userId: "person-ada",
      },
    ]);
    expect(screen.getByTestId("place").textContent).toContain("reference=ref-1");
  });

  it("folds later months away; taking them along pays the oldest first", async () => {
    const { sent } = serve();
    open("&period=2026-11-01");
    await screen.findByText(/October 2026 is still open/);
    expect(screen.queryByText(/December 2026/)).toBeNull();
    await click("Pay more at once");
    await userEvent.click(await screen.findByRole("radio", { name: /Up to December 2026/ }));
    await click("Pay ₦15,000.00");
    await screen.findByText("Paid");
    expect(sent[0]?.[1]).toMatchObject({ amount: 15_000, period: "2026-10-01" });
  });

  it("restores an open transfer of the sub-account, and starts no other unless one wants it", async () => {
    const { sent } = serve({ open: [transfer()] });
    open();
    await screen.findByText("9912345678");
    screen.getByRole("timer");
    expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
    expect(screen.getByTestId("place").textContent).toContain("reference=ref-1");
    await click("Start another payment instead");
    await screen.findByText(/A transfer of ₦5,000.00 is open for this/);
    await button("Pay ₦5,000.00");
    expect(paths(sent)).not.toContain("/api/GroupSavings/SubAccountPaymentVfd");
  });

  it("comes back to the transfer that the address names, after a reload too", async () => {
    serve({ verify: () => yes(transfer({ transactionRef: "ref-2", accountNumber: "9900000002" })) });
    open("&reference=ref-2");
    await screen.findByText("9900000002");
  });

  it("follows the money by asking now and then, where nothing tells of it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let landed = false;
    serve({
      open: [transfer()],
      verify: () => yes(transfer(landed ? { status: "CONFIRMED", arrivedIn: "SUB_ACCOUNT" } : {})),
    });
    open();
    await screen.findByText("9912345678");
    landed = true;
    await act(async () => {}); // The asking has begun.
    act(() => void vi.advanceTimersByTime(60_000));
    await screen.findByText("Paid");
    vi.useRealTimers();
  });

  it("says what an unknown outcome means for the money, once, and asks again with the same key", async () => {
    const { sent } = serve({
      pay: (tries) => (tries > 4 ? yes(receipt) : no(500, "Something went wrong", "ERROR" as never)),
    });
    open();
    await click("Pay ₦5,000.00");
    await screen.findByText(moneyTexts.unknownTitle, undefined, { timeout: 10_000 });
    screen.getByText(/You will not be charged twice/);
    expect(screen.queryByText(/have not been charged/)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
    await click(moneyTexts.checkAgain);
    await screen.findByText("Paid", undefined, { timeout: 10_000 });
    expect(new Set(sent.map(([, body]) => JSON.stringify(body))).size).toBe(1);
  }, 20_000);

  it("says of a certain refusal that nothing was charged, once", async () => {
    serve({ pay: () => no(409, "October 2026 is paid already. You have not been charged.") });
    open();
    await click("Pay ₦5,000.00");
    await screen.findByText(/October 2026 is paid already/);
    expect(screen.getAllByText(/have not been charged/)).toHaveLength(1);
  });

  it("says what it means when asking after a transfer fails", async () => {
    serve({ open: [transfer()], verify: () => no(500, "Something went wrong", "ERROR" as never) });
    open();
    await click("I have sent it");
    await screen.findByText(/could not ask the bank just now/i);
    await screen.findByText(/You will not be charged twice/);
  });
});

describe("an open transfer", () => {
  beforeEach(() => {
    signIn();
    useStore.setState({ reads: {} });
  });

  it("stands on its due among one's own open dues of a group", async () => {
    serve({ open: [transfer({ monthId: 11 })] });
    network.use(
      http.get(`${origin}/api/GroupSavings/user-unsettled-payments/g1/person-ada`, () =>
        yes({ dues: months.slice(0, 2), total: 10_000 }),
      ),
    );
    show(<OwnDues group={group} />);
    await screen.findByRole("link", { name: "Transfer open · Continue Monthly dues, November 2026" });
    screen.getByRole("link", { name: "Pay Monthly dues, October 2026" });
  });
});
