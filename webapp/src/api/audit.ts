import { answer, client, fileAnswer } from "./client";
import type { Days } from "./dues";
import { untilAnswered } from "./retry";
import type { components, operations } from "./schema.gen";
import type { AuditMark } from "./types";

export type Mark = components["schemas"]["MarkPaymentsRequest"]["marks"][number];

/** What a list is narrowed to: a mark, or queried payments of which the member has the last word. */
export type AuditState = AuditMark | "ANSWERED";

export interface AuditOf extends Days {
  state?: AuditState;
  subAccountId?: string;
  /** Of the sample that is drawn and not attested alone. */
  sample?: boolean;
}

export interface AjoAuditOf extends Days {
  state?: AuditState;
  cycle?: number;
  sample?: boolean;
}

const PAGE = 100;

export const getAudit = (groupId: string, query: AuditOf & { before?: string }) =>
  answer(
    client.GET("/api/v1/savings/groups/{id}/audit", {
      params: { path: { id: groupId }, query: { ...query, limit: PAGE } },
    }),
  );

/** All of them, or none. */
export const markPayments = (key: string, groupId: string, marks: Mark[], seenPosition?: number) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/audit", {
        params: { path: { id: groupId }, header: { "Idempotency-Key": key } },
        body: { marks, seenPosition },
      }),
    ),
  );

export const auditAsCsv = (groupId: string, query: AuditOf) =>
  fileAnswer(
    client.GET("/api/v1/savings/groups/{id}/audit.csv", {
      params: { path: { id: groupId }, query },
      parseAs: "blob",
    }),
  );

export const getAjoAudit = (id: string, query: AjoAuditOf & { before?: string }) =>
  answer(client.GET("/api/v1/ajo/{id}/audit", { params: { path: { id }, query: { ...query, limit: PAGE } } }));

/** All of them, or none. */
export const markAjoPayments = (key: string, id: string, marks: Mark[], seenPosition?: number) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/ajo/{id}/audit", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body: { marks, seenPosition },
      }),
    ),
  );

export const ajoAuditAsCsv = (id: string, query: AjoAuditOf) =>
  fileAnswer(client.GET("/api/v1/ajo/{id}/audit.csv", { params: { path: { id }, query }, parseAs: "blob" }));

export type DeskOf = NonNullable<operations["exportAuditDesk"]["parameters"]["query"]>;

export const getAuditDesk = (query: DeskOf & { before?: string; limit?: number }) =>
  answer(client.GET("/api/v1/audit", { params: { query: { limit: PAGE, ...query } } }));

export const auditDeskAsCsv = (query: DeskOf) =>
  fileAnswer(client.GET("/api/v1/audit.csv", { params: { query }, parseAs: "blob" }));
