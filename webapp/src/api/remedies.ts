import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { ProposeRemedyRequest } from "./schema.gen";

const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

/** What is proposed for members and waits for an Admin. */
export const getRemedies = () => answer(client.GET("/api/v1/support/remedies"));

/** The accounts that have an address, or had it. Looking is recorded, with the case. */
export const findForRemedy = (email: string, kase: string) =>
  answer(client.POST("/api/v1/support/remedies/members", { body: { email, case: kase } }));

export const proposeRemedy = (key: string, body: ProposeRemedyRequest) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/support/remedies", { params: { header: { "Idempotency-Key": key } }, body })),
  );

/** Has a remedy done as it was seen: 409 where anything of it has changed. */
export const agreeRemedy = (key: string, id: string, seen: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/support/remedies/{id}/agree", { ...keyed(key, id), body: { seen } })),
  );

export const declineRemedy = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/remedies/{id}/decline", keyed(key, id))));
