import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { components, LiquidationStatus } from "./schema.gen";

type Schemas = components["schemas"];
export type FundQuestion = Schemas["LiquidationQuoteRequest"];
export type FundOrder = Omit<Schemas["LiquidationRequest"], "userId">;
export type LiquidationFilter = "OPEN" | LiquidationStatus;

const PAGE = 50;
const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const act = (key: string, id: string) => ({ params: { path: { id }, ...keyed(key) } });

export const getLiquidations = (groupId: string, query: { status?: LiquidationFilter; before?: string }) =>
  answer(
    client.GET("/api/GroupSavings/get-savings-liquidation-request-list/{id}", {
      params: { path: { id: groupId }, query: { ...query, limit: PAGE } },
    }),
  );

export const getLiquidation = (id: string) =>
  answer(client.GET("/api/v1/savings/liquidations/{id}", { params: { path: { id } } }));

/** Asks for the charges and the account's owner; requests nothing yet. */
export const quoteLiquidation = (body: FundQuestion) =>
  answer(client.POST("/api/v1/savings/liquidations/quote", { body }));

export const requestLiquidation = (key: string, body: Schemas["LiquidationRequest"]) =>
  untilAnswered(() =>
    answer(client.POST("/api/GroupSavings/group-savings-liquidation-vfd", { params: keyed(key), body })),
  );

/** The validator's and the approvers' word, by the same call. */
export const decideLiquidation = (
  key: string,
  { groupId, id }: { groupId: string; id: string },
  word: "approve" | "reject",
  reason?: string,
) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/GroupSavings/validate-liquidation-request/{a}/{b}/{c}", {
        params: { path: { a: groupId, b: id, c: word }, ...keyed(key) },
        body: reason ? { reason } : {},
      }),
    ),
  );

/** A member's word that a payment of their group should be looked at again. */
export const objectToLiquidation = (key: string, id: string, reason: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/liquidations/{id}/object", { ...act(key, id), body: { reason } })),
  );

/** An approver's answer to those who objected. */
export const answerObjections = (key: string, id: string, reason: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/liquidations/{id}/answer", { ...act(key, id), body: { reason } })),
  );

export const cancelLiquidation = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/liquidations/{id}/cancel", act(key, id))));

export const retryLiquidation = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/liquidations/{id}/retry", act(key, id))));

export const releaseLiquidation = (key: string, id: string, reason: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/liquidations/{id}/release", { ...act(key, id), body: { reason } })),
  );
