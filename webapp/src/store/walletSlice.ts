import { failureText, walletFailureText } from "@/api/failure";
import type { Balances, Movement, PaymentStart } from "@/api/types";
import * as wallet from "@/api/wallet";
import { errorTexts } from "@/lib/texts/errors";
import { readInto } from "./read";
import { appendPage, idle, mergeFirstPage, type Paged, type Remote } from "./remote";
import type { Slice } from "./store";

export interface WalletSlice {
  balances: Remote<Balances>;
  movements: Remote<Paged<Movement>>;
  openPayments: Remote<PaymentStart[]>;
  /** How payments stand that this browser asked about, by their reference. */
  payments: Record<string, PaymentStart>;
  /** Grows whenever the wallet is said to have moved. */
  walletTick: number;
  loadBalances: () => Promise<void>;
  loadMovements: () => Promise<void>;
  loadMoreMovements: () => Promise<void>;
  loadOpenPayments: () => Promise<void>;
  startFunding: (key: string, order: wallet.Rail & { amount: number }) => Promise<PaymentStart>;
  verifyPayment: (transactionRef: string) => Promise<PaymentStart>;
  keepPayment: (payment: PaymentStart) => void;
}

export const createWalletSlice: Slice<WalletSlice> = (set, get) => ({
  balances: idle,
  movements: idle,
  openPayments: idle,
  payments: {},
  walletTick: 0,
  async loadBalances() {
    await readInto({
      key: "balances",
      get: () => get().balances,
      put: (balances) => set({ balances }),
      read: () => wallet.getBalances(get().session?.email ?? ""),
      text: walletFailureText,
    });
  },
  async loadMovements() {
    await readInto({
      key: "movements",
      get: () => get().movements,
      put: (movements) => set({ movements }),
      read: async () => {
        const { value, ...rest } = await wallet.getTransactions(get().session?.email ?? "");
        const before = get().movements;
        const first = { items: value.transactions, next: value.next };
        return { ...rest, value: mergeFirstPage(before.state === "ready" ? before.value : undefined, first) };
      },
      text: walletFailureText,
    });
  },
  async loadMoreMovements() {
    const { movements, session } = get();
    if (movements.state !== "ready" || !movements.value.next) return;
    const { value } = await wallet.getTransactions(session?.email ?? "", movements.value.next);
    const page = { items: value.transactions, next: value.next };
    set({ movements: { state: "ready", value: appendPage(movements.value, page) } });
  },
  async loadOpenPayments() {
    await readInto({
      key: "openPayments",
      get: () => get().openPayments,
      put: (openPayments) => set({ openPayments }),
      read: wallet.getOpenPayments,
      text: (error) => failureText(error, errorTexts.failedTo.transactions),
    });
  },
  async startFunding(key, order) {
    const email = get().session?.email ?? "";
    const { value } = await wallet.fundWallet(key, { ...order, email });
    get().keepPayment(value);
    void get().loadOpenPayments();
    return value;
  },
  async verifyPayment(transactionRef) {
    const { value } = await wallet.verifyTransaction(transactionRef);
    const before = get().payments[transactionRef]?.status;
    get().keepPayment(value);
    // What it changed is read again, whether or not the live stream tells of it.
    if (value.status === "CONFIRMED" && before !== "CONFIRMED") {
      void get().loadOpenPayments();
      get().refreshTopics(["wallet", "activity", ...(value.groupId ? [`group:${value.groupId}`] : [])]);
    }
    return value;
  },
  keepPayment(payment) {
    set((state) => ({ payments: { ...state.payments, [payment.transactionRef]: payment } }));
  },
});
