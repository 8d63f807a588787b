import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { DisputeDraftForm, OpenDisputeRequest } from "./schema.gen";

const byId = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

export const getDisputes = (before?: string) =>
  answer(client.GET("/api/v1/disputes", { params: { query: { before, limit: 50 } } }));

export const getDispute = (id: string) => answer(client.GET("/api/v1/disputes/{id}", byId(id)));

/** `day`: the Lagos day on which it was paid, YYYY-MM-DD. */
export const searchMoney = (amount: number, day: string) =>
  answer(client.POST("/api/v1/disputes/search", { body: { amount, day } }));

export const openDispute = (key: string, body: OpenDisputeRequest) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/disputes", { params: { header: { "Idempotency-Key": key } }, body })),
  );

/** Keeps what is ready and not sent; nothing at all removes it. */
export const saveDisputeDraft = (id: string, body: DisputeDraftForm) =>
  answer(client.PUT("/api/v1/disputes/{id}/draft", { ...byId(id), body }));

/** Sends words and files together: the answer where something was asked. */
export const submitToDispute = (key: string, id: string, body: DisputeDraftForm) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/submit", { ...keyed(key, id), body })));

export const withdrawDispute = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/withdraw", keyed(key, id))));

export const reopenDispute = (key: string, id: string, words: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/disputes/{id}/reopen", { ...keyed(key, id), body: { words } })));

export const readDisputePaper = (id: string, paper: string) =>
  fileAnswer(client.GET("/api/v1/disputes/{id}/papers/{paper}", { params: { path: { id, paper } }, parseAs: "blob" }));

/** One page of the member's events with their proofs, which verifies itself. `checkpoint`: what this device saw first. */
export const getEvidence = (id: string, checkpoint?: string) =>
  fileAnswer(
    client.GET("/api/v1/disputes/{id}/bundle", { params: { path: { id }, query: { checkpoint } }, parseAs: "blob" }),
  );

const key = (value: string) => ({ params: { header: { "Idempotency-Key": value } } });

export const getFreeze = () => answer(client.GET("/api/v1/account/freeze"));

export const freezeMoney = (intent: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/account/freeze", key(intent))));

/** Asks for a step-up first. */
export const thawMoney = (intent: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/account/thaw", key(intent))));
