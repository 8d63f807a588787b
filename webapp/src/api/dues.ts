import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { components } from "./schema.gen";

type Schemas = components["schemas"];

const PAGE = 50;
/** Rows of the grid are narrow: as many as an answer may hold. */
const GRID_PAGE = 100;

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const byId = (id: string) => ({ path: { id } });

/** Days are Lagos days, both included. */
export interface Days {
  from?: string;
  to?: string;
}

export const getMyUnsettled = (groupId: string, userId: string) =>
  answer(
    client.GET("/api/GroupSavings/user-unsettled-payments/{a}/{b}", { params: { path: { a: groupId, b: userId } } }),
  );

export const getUnsettled = (groupId: string, query: { subAccountId?: string; q?: string; before?: string }) =>
  answer(
    client.GET("/api/v1/savings/groups/{id}/unsettled", {
      params: { ...byId(groupId), query: { ...query, limit: PAGE } },
    }),
  );

export interface HistoryOf extends Days {
  subAccountId?: string;
  before?: string;
}

export const getHistory = (groupId: string, userId: string, all: boolean, of: HistoryOf) =>
  answer(
    client.POST("/api/GroupSavings/savings-payment-history", { body: { groupId, userId, all, ...of, limit: PAGE } }),
  );

/** Every payment of the group: for its officials. */
export const getWholeHistory = (groupId: string, of: HistoryOf) =>
  answer(
    client.GET("/api/GroupSavings/savings-payment-history-admin/{id}", {
      params: { ...byId(groupId), query: { ...of, limit: PAGE } },
    }),
  );

export const getSubAccount = (subAccountId: string, userId: string) =>
  answer(client.GET("/api/GroupSavings/sub-account/{a}/{b}", { params: { path: { a: subAccountId, b: userId } } }));

export interface GridOf {
  subAccountId?: string;
  /** The first period shown starts on or before this day. */
  from?: string;
  periods: number;
  q?: string;
  before?: string;
}

export const getGrid = (groupId: string, of: GridOf) =>
  answer(
    client.GET("/api/v1/savings/groups/{id}/grid", {
      params: { ...byId(groupId), query: { ...of, limit: GRID_PAGE } },
    }),
  );

export const getCharts = (groupId: string, months: number) =>
  answer(client.GET("/api/v1/savings/groups/{id}/charts", { params: { ...byId(groupId), query: { months } } }));

export const getWaivers = (groupId: string, before?: string) =>
  answer(
    client.GET("/api/v1/savings/groups/{id}/waivers", { params: { ...byId(groupId), query: { before, limit: PAGE } } }),
  );

export const requestWaiver = (key: string, body: Schemas["WaiverRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/waivers", { params: keyed(key), body })));

export const decideWaiver = (key: string, id: string, body: Schemas["DecideWaiverRequest"]) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/waivers/{id}/decide", { params: { ...byId(id), ...keyed(key) }, body })),
  );

export const getCoverable = (subAccountId: string, memberId: string) =>
  answer(client.GET("/api/v1/savings/cover", { params: { query: { subAccountId, memberId } } }));

export const cover = (key: string, body: Schemas["CoverRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/cover", { params: keyed(key), body })));

/** Everybody who owes, without names. */
export const remind = (key: string, groupId: string, memberIds?: string[]) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/remind", {
        params: { ...byId(groupId), ...keyed(key) },
        body: memberIds ? { memberIds } : {},
      }),
    ),
  );

type Book = Days & { subAccountId?: string };

export const bookAsCsv = (groupId: string, query: Book) =>
  fileAnswer(
    client.GET("/api/v1/savings/groups/{id}/book.csv", { params: { ...byId(groupId), query }, parseAs: "blob" }),
  );

export const bookAsPdf = (groupId: string, query: Book) =>
  fileAnswer(
    client.GET("/api/v1/savings/groups/{id}/book.pdf", { params: { ...byId(groupId), query }, parseAs: "blob" }),
  );
