import { answer, client } from "./client";
import { untilAnswered } from "./retry";

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

export const attestMonth = (key: string, id: string, month: string) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/months/{id}/attest", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body: { month },
      }),
    ),
  );
