import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { AttestKeyRequest, AttestMonthRequest } from "./schema.gen";

export const getMonths = (id: string) => answer(client.GET("/api/v1/months/{id}", { params: { path: { id } } }));

export const getMonthDraw = (id: string, month: string) =>
  answer(client.GET("/api/v1/months/{id}/draw", { params: { path: { id }, query: { month } } }));

export const closeMonth = (key: string, id: string, month: string, marginPercent: number) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/months/{id}", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body: { month, marginPercent },
      }),
    ),
  );

export const attestMonth = (key: string, id: string, body: AttestMonthRequest) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/months/{id}/attest", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body,
      }),
    ),
  );

/** The caller's devices that sign what the caller attests of months. */
export const getAttestKeys = () => answer(client.GET("/api/v1/attest/keys"));

export const registerAttestKey = (body: AttestKeyRequest) => answer(client.POST("/api/v1/attest/keys", { body }));

export const revokeAttestKey = (publicKey: string) =>
  answer(client.POST("/api/v1/attest/keys/revoke", { body: { publicKey } }));
