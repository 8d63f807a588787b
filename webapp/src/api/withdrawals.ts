import { answer, client } from "./client";
import { untilAnswered, withWalletRetry } from "./retry";

export const getLimits = () => withWalletRetry(() => answer(client.GET("/api/v1/wallet/limits")));

export const quoteWithdrawal = (amount: number) =>
  answer(client.POST("/api/v1/wallet/withdrawals/quote", { body: { amount } }));

export interface Order {
  amount: number;
  /** The net amount of the quote; the server refuses another one with 409. */
  net: number;
  note?: string;
}

export const withdraw = (key: string, body: Order) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/wallet/withdrawals", { params: { header: { "Idempotency-Key": key } }, body })),
  );

export const getWithdrawals = (before?: string) =>
  withWalletRetry(() => answer(client.GET("/api/v1/wallet/withdrawals", { params: { query: { before, limit: 20 } } })));

export const getWithdrawal = (id: string) =>
  withWalletRetry(() => answer(client.GET("/api/v1/wallet/withdrawals/{id}", { params: { path: { id } } })));
