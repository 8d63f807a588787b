import { answer, client } from "./client";
import { untilAnswered, withWalletRetry } from "./retry";
import type { RailChannel } from "./schema.gen";

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });

/** Asks for the charges of a payment; starts nothing. */
export const quotePayment = (amount: number, channel: RailChannel) =>
  withWalletRetry(() =>
    answer(client.GET("/api/v1/payment/quote", { params: { query: { amount: amount.toFixed(2), channel } } })),
  );

export interface Reference {
  amount: number;
  channel: RailChannel;
  subAccountId?: string;
  monthId?: number;
  period?: string;
  /** In place of subAccountId. Its deposit, where no cycle is said. */
  ajoId?: string;
  cycle?: number;
  seat?: number;
}

/** Starts a payment without going to the bank or gateway: nothing is charged. */
export const generateReference = (key: string, body: Reference) =>
  untilAnswered(() => answer(client.POST("/api/Payment/generate-reference", { params: keyed(key), body })));

/** `amount`: the total agreed to; another one is refused with 409. */
export const makePayment = (
  key: string,
  body: { transactionRef: string; amount: number; cardId?: string; saveCard?: boolean },
) => untilAnswered(() => answer(client.POST("/api/Payment/make-payment", { params: keyed(key), body })));

export const getCards = () => withWalletRetry(() => answer(client.GET("/api/v1/wallet/cards")));

export const forgetCard = (id: string) =>
  answer(client.DELETE("/api/v1/wallet/cards/{id}", { params: { path: { id } } }));
