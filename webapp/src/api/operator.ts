import { answer, client } from "./client";
import { untilAnswered } from "./retry";

export const getProjections = () => answer(client.GET("/api/Operator/projections"));
export const getChecks = () => answer(client.GET("/api/Operator/checks"));
export const getLetters = () => answer(client.GET("/api/Operator/letters"));
export const retryLetters = () => answer(client.POST("/api/Operator/letters/retry"));
export const getDeadLetters = () => answer(client.GET("/api/Operator/dead-letters"));

export const retryProjection = (name: string) =>
  answer(client.POST("/api/Operator/projections/{name}/retry", { params: { path: { name } } }));
export const rebuildProjection = (name: string) =>
  answer(client.POST("/api/Operator/projections/{name}/rebuild", { params: { path: { name } } }));

export type GroupVerdict = "suspend" | "resume" | "reject";

export const judgeGroup = (key: string, id: string, verdict: GroupVerdict, reason: string) =>
  untilAnswered(() =>
    answer(
      client.POST(`/api/Operator/groups/{id}/${verdict}`, {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body: { reason },
      }),
    ),
  );
