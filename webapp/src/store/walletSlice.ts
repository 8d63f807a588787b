import type { PaymentStart } from "@/api/types";
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

const ENDS = ["CONFIRMED", "FAILED", "EXPIRED", "REVERSED"];
const hasEnded = ({ status }: PaymentStart) => ENDS.includes(status);

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
    const known = get().payments[transactionRef];
    const before = known?.status;
    // An answer that was asked for earlier may come later: an end is not followed by a beginning.
    if (known && hasEnded(known) && !hasEnded(value)) return known;
    get().keepPayment(value);
    // What it changed is read again, whether or not the live stream tells of it.
    if (value.status === "CONFIRMED" && before !== "CONFIRMED") {
      void get().load(openPaymentsSource);
      const { groupId, ajoId } = value;
      const places = [...(groupId ? [`group:${groupId}`] : []), ...(ajoId ? ["ajo"] : [])];
      get().refreshTopics(["wallet", "activity", ...places]);
    }
    return value;
  },
  keepPayment(payment) {
    set((state) => ({ payments: { ...state.payments, [payment.transactionRef]: payment } }));
  },
});
