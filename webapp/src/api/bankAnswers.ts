import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { GiveBankAnswerRequest } from "./schema.gen";

const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

/** Looking is recorded, with who looked. */
export const getBankAnswer = (id: string) =>
  answer(client.GET("/api/v1/support/cases/{id}/bank-answer", { params: { path: { id } } }));

export const giveBankAnswer = (key: string, id: string, body: GiveBankAnswerRequest) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/cases/{id}/bank-answer", { ...keyed(key, id), body })));

export const agreeBankAnswer = (key: string, id: string, answerId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/support/cases/{id}/bank-answer/agree", { ...keyed(key, id), body: { answerId } })),
  );

export const dropBankAnswer = (key: string, id: string, answerId: string, words: string) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/support/cases/{id}/bank-answer/drop", { ...keyed(key, id), body: { answerId, words } }),
    ),
  );
