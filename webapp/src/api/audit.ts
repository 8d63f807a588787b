import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { components, operations } from "./schema.gen";

export type Mark = components["schemas"]["MarkPaymentsRequest"]["marks"][number];

export type AuditState = components["schemas"]["AuditState"];
export type AuditOf = NonNullable<operations["exportAudit"]["parameters"]["query"]>;
export type AjoAuditOf = NonNullable<operations["exportAjoAudit"]["parameters"]["query"]>;
/** What the payments of any desk can be narrowed by. */
export type AuditNarrowing = Omit<AuditOf, "state" | "subAccountId" | "sample">;

/** What is asked for a list of a group's or an ajo's desk: ALL asks for no state, SAMPLE for the sample alone. */
export const stateOf = (list: AuditState | "SAMPLE" | "ALL"): Pick<AuditOf, "state" | "sample"> => {
  if (list === "ALL") return {};
  return list === "SAMPLE" ? { sample: true } : { state: list };
};

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
