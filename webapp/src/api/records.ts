import { answer, client, fileAnswer } from "./client";
import { withWalletRetry } from "./retry";
import type { MovementKind } from "./schema.gen";

/** The filters of the list of movements and of its CSV. Days are Lagos days, both included. */
export interface Filters {
  kind?: MovementKind[];
  direction?: "IN" | "OUT";
  channel?: "BANK_TRANSFER" | "CARD" | "WALLET";
  groupId?: string;
  from?: string;
  to?: string;
  search?: string;
}

const PAGE = 100;

export const getMovements = (filters: Filters, before?: string) =>
  answer(client.GET("/api/v1/activity", { params: { query: { ...filters, before, limit: PAGE } } }));

export const exportMovements = (filters: Filters) =>
  fileAnswer(client.GET("/api/v1/activity/export.csv", { params: { query: filters }, parseAs: "blob" }));

export const getStatement = (from: string, to: string) =>
  fileAnswer(client.GET("/api/v1/activity/statement.pdf", { params: { query: { from, to } }, parseAs: "blob" }));

export const getMonths = (months: number) =>
  withWalletRetry(() => answer(client.GET("/api/v1/activity/months", { params: { query: { months } } })));

export const getReceipt = (id: string) =>
  answer(client.GET("/api/v1/activity/{id}/receipt", { params: { path: { id } } }));

/** A receipt to hand on, with a code of its own. */
export const getReceiptFile = (id: string, format: "PDF" | "PNG") =>
  fileAnswer(
    client.GET("/api/v1/activity/{id}/receipt-file", { params: { path: { id }, query: { format } }, parseAs: "blob" }),
  );

export const verifyStatement = (code: string) =>
  answer(client.GET("/api/v1/statements/{code}", { params: { path: { code } } }));

export const getReserves = (limit: number) => answer(client.GET("/api/v1/reserves", { params: { query: { limit } } }));

/** The roots of what was owed, which anybody may read. */
export const getReservesRoots = (limit: number) =>
  answer(client.GET("/api/v1/reserves/roots", { params: { query: { limit } } }));

/** The proof that what is one's own is in the latest root. */
export const getMyReserves = () => answer(client.GET("/api/v1/reserves/mine"));
