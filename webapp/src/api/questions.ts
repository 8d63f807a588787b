import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";

export const getQuestion = (id: string) => answer(client.GET("/api/v1/questions/{id}", { params: { path: { id } } }));

export const sayOfQuestion = (key: string, id: string, body: { words: string } | { fileId: string }) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/questions/{id}", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body,
      }),
    ),
  );

export const readQuestionPaper = (id: string, paper: string) =>
  fileAnswer(client.GET("/api/v1/questions/{id}/papers/{paper}", { params: { path: { id, paper } }, parseAs: "blob" }));
