import { answer, client } from "./client";
import { untilAnswered, withWalletRetry } from "./retry";
import type { components, RailChannel } from "./schema.gen";

export type WalletPayment = components["schemas"]["WalletPaymentRequest"];

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });

export const getBalances = (email: string) =>
  withWalletRetry(() => answer(client.GET("/api/Wallet/get-user-balance", { params: { query: { email } } })));

export const getTransactions = (email: string, before?: string) =>
  withWalletRetry(() =>
    answer(client.GET("/api/Wallet/GetUserWalletTransactions", { params: { query: { email, before, limit: 20 } } })),
  );

export const getOpenPayments = () => withWalletRetry(() => answer(client.GET("/api/v1/wallet/open-payments")));

/** `saveCard`: the payer agrees that the card is kept for next time. */
export interface Rail {
  channel: RailChannel;
  saveCard?: boolean;
}

export const fundWallet = (key: string, body: Rail & { amount: number; email: string }) =>
  untilAnswered(() => answer(client.POST("/api/Wallet/FundWalletVfd", { params: keyed(key), body })));

export const verifyTransaction = (transactionRef: string) =>
  answer(client.POST("/api/Payment/verifyFirstTransaction", { body: { transactionRef } }));

export interface Contribution {
  amount: number;
  subAccountId: string;
  monthId?: number;
  /** The first day of the due: refused while an older one is open. */
  period?: string;
  userId: string;
}

/** Into a sub-account, or what an ajo is due. */
export const payFromWallet = (key: string, body: WalletPayment) =>
  untilAnswered(() => answer(client.POST("/api/Wallet/make-payment-with-wallet", { params: keyed(key), body })));

export const payThroughRail = (key: string, body: Contribution & Rail) =>
  untilAnswered(() => answer(client.POST("/api/GroupSavings/SubAccountPaymentVfd", { params: keyed(key), body })));
