import type { PaymentStart } from "@/api/schema.gen";
import * as wallet from "@/api/wallet";
import { openPaymentsSource } from "./sources";
import type { Slice } from "./store";

export interface WalletSlice {
  /** The payments that this browser asked about, by their reference. */
  payments: Record<string, PaymentStart>;
  startFunding: (key: string, order: wallet.Rail & { amount: number }) => Promise<PaymentStart>;
  verifyPayment: (transactionRef: string) => Promise<PaymentStart>;
  keepPayment: (payment: PaymentStart) => void;
}

/** How far a payment is. It goes on alone: one that ended without its money may still get it, and then lose it again. */
const steps = { INITIATED: 0, PENDING: 1, FAILED: 2, EXPIRED: 2, CONFIRMED: 3, REVERSED: 4 } as const;

export const createWalletSlice: Slice<WalletSlice> = (set, get) => ({
  payments: {},
  async startFunding(key, order) {
    const email = get().session?.email ?? "";
    const { value } = await wallet.fundWallet(key, { ...order, email });
    get().keepPayment(value);
    void get().load(openPaymentsSource);
    return value;
  },
  async verifyPayment(transactionRef) {
    const { value } = await wallet.verifyTransaction(transactionRef);
    const before = get().payments[transactionRef]?.status;
    get().keepPayment(value);
    // What it changed is read again, whether or not the live stream tells of it.
    if (value.status === "CONFIRMED" && before !== "CONFIRMED") {
      void get().load(openPaymentsSource);
      const { groupId, ajoId } = value;
      const places = [...(groupId ? [`group:${groupId}`] : []), ...(ajoId ? ["ajo"] : [])];
      get().refreshTopics(["wallet", "activity", ...places]);
    }
    return get().payments[transactionRef] ?? value;
  },
  keepPayment(payment) {
    const known = get().payments[payment.transactionRef];
    // An answer that was asked for earlier may come later.
    if (known && steps[known.status] > steps[payment.status]) return;
    set((state) => ({ payments: { ...state.payments, [payment.transactionRef]: payment } }));
  },
});
