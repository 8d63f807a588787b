import { answer, client } from "./client";
import type { UnmatchedStatus } from "./schema.gen";

const byId = (id: string) => ({ params: { path: { id } } });

export const getDebts = (before?: string) =>
  answer(client.GET("/api/v1/finance/debts", { params: { query: { before, limit: 50 } } }));

export const proposeWriteOff = (userId: string, reason: string) =>
  answer(client.POST("/api/v1/finance/debts/{id}/propose", { ...byId(userId), body: { reason } }));

/** Agrees to the proposal that the caller saw. */
export const agreeWriteOff = (userId: string, seen: string) =>
  answer(client.POST("/api/v1/finance/debts/{id}/decide", { ...byId(userId), body: { approve: true, seen } }));

export const declineWriteOff = (userId: string, seen: string, reason: string) =>
  answer(client.POST("/api/v1/finance/debts/{id}/decide", { ...byId(userId), body: { approve: false, seen, reason } }));

export const unlockCards = (userId: string, reason: string) =>
  answer(client.POST("/api/v1/finance/cards/{id}/unlock", { ...byId(userId), body: { reason } }));

export const getUnmatched = (status: UnmatchedStatus | undefined, before?: string) =>
  answer(client.GET("/api/v1/finance/unmatched", { params: { query: { status, before, limit: 50 } } }));

export const proposeUnmatched = (id: string, email: string, reason: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/propose", { ...byId(id), body: { email, reason } }));

/** The payout by its id, or by the reference under which the bank was told of it. */
export const proposeReturn = (id: string, payoutId: string, reason: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/return", { ...byId(id), body: { payoutId, reason } }));

/** Proposes that money goes back to the account that it came from. */
export const proposeSendBack = (id: string, reason: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/send-back", { ...byId(id), body: { reason } }));

/** Agrees to the proposal that the caller saw. */
export const agreeUnmatched = (id: string, seen: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/decide", { ...byId(id), body: { approve: true, seen } }));

export const declineUnmatched = (id: string, seen: string, reason: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/decide", { ...byId(id), body: { approve: false, seen, reason } }));

/** Held money: the money of a payment, or other money when none is given. */
export const settleHeld = (id: string, reason: string, paymentId?: string) =>
  answer(client.POST("/api/v1/finance/unmatched/{id}/settle", { ...byId(id), body: { reason, paymentId } }));

export const getReconciliations = (before?: string) =>
  answer(client.GET("/api/v1/finance/reconciliations", { params: { query: { before, limit: 20 } } }));

export const getReconciliation = (id: string) => answer(client.GET("/api/v1/finance/reconciliations/{id}", byId(id)));

export const reconcile = () => answer(client.POST("/api/v1/finance/reconciliations"));

export const getPayouts = (before?: string) =>
  answer(client.GET("/api/v1/finance/payouts", { params: { query: { before, limit: 50 } } }));

export const queryPayout = (id: string) => answer(client.POST("/api/v1/finance/payouts/{id}/query", byId(id)));

export const lookUpMember = (email: string, reason: string) =>
  answer(client.POST("/api/v1/finance/members/look-up", { body: { email, case: reason } }));

/** Sets the tier of the member whom the look-up showed. */
export const setMemberTier = (email: string, seen: string, tier: number, reason: string) =>
  answer(client.POST("/api/v1/finance/members/tier", { body: { email, seen, tier, case: reason } }));
