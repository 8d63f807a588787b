import { screen } from "@testing-library/react";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { PaymentStart } from "@/api/schema.gen";
import { AjoPayment } from "@/features/ajo/pay/screens/AjoPayment";
import { SubAccountPayment } from "@/features/money/payments/screens/SubAccountPayment";
import { FundModal } from "@/features/money/wallet/parts/FundModal";
import { Returned } from "@/features/money/wallet/parts/Returned";
import { useStore } from "@/store/store";
import { group, sub } from "../kit/groupMoney";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const payment = (more: Partial<PaymentStart> = {}): PaymentStart => ({
  transactionRef: "ref-1",
  status: "PENDING",
  channel: "BANK_TRANSFER",
  amount: 5000,
  extraCharges: 0,
  total: 5000,
  dateCreated: "2026-11-20T10:00:00Z",
  expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
  accountNumber: "9912345678",
  accountName: "Adashi / Monthly dues",
  bankName: "VFD",
  subAccountId: "s1",
  groupId: "g1",
  monthId: 10,
  purpose: "Monthly dues",
  ...more,
});

describe("what a payment is said to be", () => {
  beforeEach(signIn);

  /** The pause of 20 s and the live stream both ask; the question that was asked first may be answered last. */
  it("an older answer does not turn a payment that has arrived back into one to be sent", async () => {
    let asked = 0;
    network.use(
      http.get(`${origin}/api/*`, () => yes([])),
      http.post(`${origin}/api/Payment/verifyFirstTransaction`, async () => {
        asked++;
        if (asked === 1) {
          await delay(150);
          return yes(payment());
        }
        return yes(payment({ status: "CONFIRMED" }));
      }),
    );
    const { verifyPayment } = useStore.getState();
    await Promise.all([verifyPayment("ref-1"), verifyPayment("ref-1")]);
    expect(useStore.getState().payments["ref-1"]?.status).toBe("CONFIRMED");
  });

  it("no older answer, nor an older list, takes a payment back to where it was before", () => {
    const { keepPayment } = useStore.getState();
    const order = ["INITIATED", "PENDING", "EXPIRED", "CONFIRMED", "REVERSED"] as const;
    for (const [at, status] of order.entries()) {
      keepPayment(payment({ status }));
      for (const before of order.slice(0, at)) keepPayment(payment({ status: before }));
      expect(useStore.getState().payments["ref-1"]?.status).toBe(status);
    }
  });

  /** The address names the payment that is followed. What went where, the payment itself says. */
  it("a payment that went elsewhere is not said to be in this sub-account", async () => {
    network.use(
      http.get(`${origin}/api/Wallet/get-user-balance`, () =>
        yes({ balance: 20_000, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 20_000, held: 0 }),
      ),
      http.get(`${origin}/api/v1/wallet/cards`, () => yes([])),
      http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
        yes({ groupName: group.name, SubAccounts: [sub] }),
      ),
      http.get(`${origin}/api/Wallet/GetUserWalletTransactions`, () => yes({ transactions: [] })),
      http.post(`${origin}/api/Payment/verifyFirstTransaction`, () =>
        yes(
          payment({
            status: "CONFIRMED",
            subAccountId: undefined,
            groupId: undefined,
            monthId: undefined,
            purpose: "Your wallet",
            arrivedIn: "WALLET",
          }),
        ),
      ),
    );
    show(<SubAccountPayment />, "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1&reference=ref-1");
    await screen.findByText("₦5,000.00 is in your wallet.");
    expect(screen.queryByText(new RegExp(`is in ${sub.name}`))).toBeNull();
  });
});

/** The server says where the money is: what a payment was for may have refused it by the time it came. */
describe("where the money of a payment is said to be", () => {
  beforeEach(signIn);

  const serve = (now: PaymentStart) =>
    network.use(
      http.get(`${origin}/api/v1/ajo/dues`, () => yes({ dues: [], deposits: [], debts: [], collecting: [] })),
      http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
        yes({ groupName: group.name, SubAccounts: [sub] }),
      ),
      http.post(`${origin}/api/Payment/verifyFirstTransaction`, () => yes(now)),
      http.get(`${origin}/api/*`, () => yes([])),
    );
  const ajo = { subAccountId: undefined, groupId: undefined, monthId: undefined, ajoId: "a1", cycle: 2, seat: 3 };
  const refused = { status: "CONFIRMED", arrivedIn: "WALLET", reason: "You have already paid this due." } as const;
  const notTaken = (name: string) =>
    `${name} did not take your ₦5,000.00. You have already paid this due. The money is in your wallet.`;
  const ofAjo = { ...ajo, purpose: "Balogun weekly · Cycle 2" };

  it("is the wallet, on the page of the sub-account that did not take it", async () => {
    serve(payment(refused));
    show(<SubAccountPayment />, "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1&reference=ref-1");
    await screen.findByText(notTaken(sub.name));
    expect(screen.queryByText("Paid")).toBeNull();
  });

  it("is the wallet, on the page of the ajo that did not take it", async () => {
    serve(payment({ ...ofAjo, ...refused }));
    show(<AjoPayment />, "/dashboard/ajo/payment?ajoId=a1&cycle=2&seat=3&reference=ref-1");
    await screen.findByText(notTaken("Balogun weekly · Cycle 2"));
    expect(screen.queryByText("Paid")).toBeNull();
  });

  it("is the ajo, also where the wallet's page follows the payment", async () => {
    serve(payment({ ...ofAjo, status: "CONFIRMED", arrivedIn: "AJO" }));
    show(<Returned reference="ref-1" onDismiss={() => {}} />);
    await screen.findByText("₦5,000.00 is in Balogun weekly · Cycle 2.");
    expect(screen.queryByText(/in your wallet/)).toBeNull();
  });

  /** An address may name the payment of somebody else who used this phone, or none. */
  for (const [where, page, path] of [
    ["a sub-account", <SubAccountPayment key="s" />, "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1"],
    ["an ajo", <AjoPayment key="a" />, "/dashboard/ajo/payment?ajoId=a1&cycle=2&seat=3"],
    ["the wallet", <Returned key="w" reference="theirs" onDismiss={() => {}} />, "/dashboard/wallet?"],
  ] as const) {
    it(`is not said of another person's payment, on the page of ${where}`, async () => {
      serve(payment());
      network.use(
        http.post(`${origin}/api/Payment/verifyFirstTransaction`, () => no(404, "There is no such payment.")),
      );
      show(page, `${path}&reference=theirs`);
      await screen.findByText("There is no such payment.");
      expect(screen.queryByText(/₦5,000\.00 is in|Paid|straight to|9912345678/)).toBeNull();
    });
  }

  it("is the ajo, where a payment was left and is gone on with in the wallet", async () => {
    useStore.setState({ payments: { "ref-1": payment({ ...ofAjo, status: "CONFIRMED", arrivedIn: "AJO" }) } });
    show(<FundModal open onClose={() => {}} resume={payment(ofAjo)} />);
    await screen.findByText("₦5,000.00 is in Balogun weekly · Cycle 2.");
    expect(screen.getByRole("dialog", { name: "Balogun weekly · Cycle 2" })).toBeTruthy();
    expect(screen.queryByText(/in your wallet/)).toBeNull();
  });

  it("is to be the wallet, while a payment that fills it is followed on a sub-account's page", async () => {
    serve(payment({ subAccountId: undefined, groupId: undefined, monthId: undefined, purpose: "Your wallet" }));
    show(<SubAccountPayment />, "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1&reference=ref-1");
    await screen.findByText(/When it arrives it goes to your wallet/);
    expect(screen.queryByText(/straight to the sub-account/)).toBeNull();
  });
});
