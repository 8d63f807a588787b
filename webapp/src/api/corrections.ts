import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { LabEdit, PreviewCorrectionRequest, ReplaySubject } from "./schema.gen";

const byId = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

/** Cases whose correction waits for approval. */
export const getCorrections = (before?: string) =>
  answer(client.GET("/api/v1/support/plans", { params: { query: { before, limit: 50 } } }));

/** The latest correction of a case; looking is recorded. */
export const getCorrection = (id: string) => answer(client.GET("/api/v1/support/cases/{id}/plan", byId(id)));

/** What a correction would do now. Nothing is recorded. */
export const previewCorrection = (id: string, { countsFrom, steps }: PreviewCorrectionRequest) =>
  answer(client.POST("/api/v1/support/cases/{id}/plan/preview", { ...byId(id), body: { countsFrom, steps } }));

/** The steps whose outcome is what a lab shows. Nothing is recorded. */
export const correctionFromLab = (id: string, subject: ReplaySubject, edits: LabEdit[]) =>
  answer(client.POST("/api/v1/support/cases/{id}/plan/from-lab", { ...byId(id), body: { subject, edits } }));

export const proposeCorrection = (key: string, id: string, form: PreviewCorrectionRequest & { words: string }) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/cases/{id}/plan", { ...keyed(key, id), body: form })));

/** The second approval applies it, which moves money. */
export const approveCorrection = (key: string, id: string, planId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/support/cases/{id}/plan/approve", { ...keyed(key, id), body: { planId } })),
  );

export const declineCorrection = (key: string, id: string, planId: string, words: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/support/cases/{id}/plan/decline", { ...keyed(key, id), body: { planId, words } })),
  );
