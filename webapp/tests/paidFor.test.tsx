import { act, screen } from "@testing-library/react";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { PaymentStart } from "@/api/types";
import { SubAccountPayment } from "@/features/payments/screens/SubAccountPayment";
import { useStore } from "@/store/store";
import { group, sub } from "./groupMoney";
import { origin, show, signIn, yes } from "./help";
import { network } from "./network";

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
          }),
        ),
      ),
    );
    show(<SubAccountPayment />, "/dashboard/sub-account/payment?subAccountId=s1&groupId=g1&reference=ref-1");
    await act(() => delay(600));
    expect(screen.queryByText(new RegExp(`is in ${sub.name}`))).toBeNull();
    expect(screen.getByText("₦5,000.00 is in Your wallet.")).toBeTruthy();
  });
});
