import { answer, client } from "./client";
import { untilAnswered, withWalletRetry } from "./retry";
import type { components } from "./schema.gen";

export type CreateStandingOrder = components["schemas"]["CreateStandingOrderRequest"];

const byId = (id: string) => ({ params: { path: { id } } });

export const getStandingOrders = () => withWalletRetry(() => answer(client.GET("/api/v1/wallet/standing-orders")));

export const createStandingOrder = (key: string, body: CreateStandingOrder) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/wallet/standing-orders", { params: { header: { "Idempotency-Key": key } }, body })),
  );

export const pauseStandingOrder = (id: string) =>
  answer(client.POST("/api/v1/wallet/standing-orders/{id}/pause", byId(id)));
export const resumeStandingOrder = (id: string) =>
  answer(client.POST("/api/v1/wallet/standing-orders/{id}/resume", byId(id)));
export const endStandingOrder = (id: string) => answer(client.DELETE("/api/v1/wallet/standing-orders/{id}", byId(id)));
