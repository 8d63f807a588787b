import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { LabEdit, ReplaySubject } from "./schema.gen";

export type CaseList = "OPEN" | "MINE" | "OVER";

/** One of them at most. */
export interface Moment {
  position?: number;
  recorded?: string;
  effective?: string;
}

const byId = (id: string) => ({ params: { path: { id } } });
const keyed = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });

export const getCases = (list: CaseList, before?: string) =>
  answer(client.GET("/api/v1/support/cases", { params: { query: { list, before, limit: 50 } } }));

/** Looking is recorded, with who looked. */
export const getCase = (id: string) => answer(client.GET("/api/v1/support/cases/{id}", byId(id)));

/** As the list of cases has it; this is no look, and is not recorded. */
export const getCaseRow = (id: string) => answer(client.GET("/api/v1/support/cases/{id}/row", byId(id)));

/** Takes the case as it was looked at: 409 where another took it since. */
export const takeCase = (key: string, id: string, version: number) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/support/cases/{id}/take", {
        params: { ...keyed(key, id).params, query: { version } },
      }),
    ),
  );

export const askMember = (key: string, id: string, words: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/cases/{id}/ask", { ...keyed(key, id), body: { words } })));

/** Allows the hold that the member asks for, or extends it. */
export const allowHold = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/cases/{id}/hold", keyed(key, id))));

interface Decision {
  upheld: boolean;
  words: string;
  entries?: string[];
}

export const resolveCase = (key: string, id: string, body: Decision) =>
  untilAnswered(() => answer(client.POST("/api/v1/support/cases/{id}/resolve", { ...keyed(key, id), body })));

/** Looking is recorded, with the reason. */
export const showNames = (id: string, reason: string, userIds: string[]) =>
  answer(client.POST("/api/v1/support/cases/{id}/names", { ...byId(id), body: { reason, userIds } }));

export const readCasePaper = (id: string, paper: string) =>
  fileAnswer(
    client.GET("/api/v1/support/cases/{id}/papers/{paper}", { params: { path: { id, paper } }, parseAs: "blob" }),
  );

/** What the ledger held of a subject after a position, or at a time of one of its clocks; now where nothing is said. */
export const replayCase = (id: string, subject: ReplaySubject, moment: Moment = {}) =>
  answer(client.GET("/api/v1/support/cases/{id}/replay", { params: { path: { id }, query: { subject, ...moment } } }));

/** What would have followed, had something been otherwise. What was tried is kept with the case. */
export const runLab = (id: string, subject: ReplaySubject, edits: LabEdit[]) =>
  answer(client.POST("/api/v1/support/cases/{id}/labs", { ...byId(id), body: { subject, edits } }));

export const getLabs = (id: string) => answer(client.GET("/api/v1/support/cases/{id}/labs", byId(id)));

const STEPS = 100;

/** Events from a position on, in order; with `back` those before it, or the latest where none is said. */
export const getCaseSteps = (id: string, subject: ReplaySubject, from: number | undefined, back: boolean) =>
  answer(
    client.GET("/api/v1/support/cases/{id}/steps", {
      params: { path: { id }, query: { subject, from, back, limit: STEPS } },
    }),
  );
