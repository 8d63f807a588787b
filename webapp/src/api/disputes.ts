import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { OpenDispute } from "./types";

const byId = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

export const getDisputes = (before?: string) =>
  answer(client.GET("/api/v1/disputes", { params: { query: { before, limit: 50 } } }));

export const getDispute = (id: string) => answer(client.GET("/api/v1/disputes/{id}", byId(id)));

/** `day`: the Lagos day on which it was paid, YYYY-MM-DD. */
export const searchMoney = (amount: number, day: string) =>
  answer(client.POST("/api/v1/disputes/search", { body: { amount, day } }));

export const openDispute = (key: string, body: OpenDispute) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/disputes", { params: { header: { "Idempotency-Key": key } }, body })),
  );

/** Words or a file, one of them. */
export const addEvidence = (key: string, id: string, body: { words: string } | { fileId: string }) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/evidence", { ...keyed(key, id), body })));

export const answerDispute = (key: string, id: string, words: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/answer", { ...keyed(key, id), body: { words } })));

export const withdrawDispute = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/withdraw", keyed(key, id))));

export const reopenDispute = (key: string, id: string, words: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/reopen", { ...keyed(key, id), body: { words } })));

export const readDisputePaper = (id: string, paper: string) =>
  fileAnswer(client.GET("/api/v1/disputes/{id}/papers/{paper}", { params: { path: { id, paper } }, parseAs: "blob" }));

/** One page of the member's events with their proofs, which verifies itself. */
export const getEvidence = (id: string) =>
  fileAnswer(client.GET("/api/v1/disputes/{id}/bundle", { ...byId(id), parseAs: "blob" }));

const key = (value: string) => ({ params: { header: { "Idempotency-Key": value } } });

export const getFreeze = () => answer(client.GET("/api/v1/account/freeze"));

export const freezeMoney = (intent: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/account/freeze", key(intent))));

/** Asks for a step-up first. */
export const thawMoney = (intent: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/account/thaw", key(intent))));
