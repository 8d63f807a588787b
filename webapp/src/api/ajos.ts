import { answer, client, fileAnswer } from "./client";
import { untilAnswered } from "./retry";
import type { components } from "./schema.gen";

type Schemas = components["schemas"];
export type AjoTerms = Schemas["AjoTermsRequest"];
export type CreateAjo = Schemas["CreateAjoRequest"];
export type JoinAjo = Schemas["JoinAjoRequest"];
export type TakePlace = Schemas["TakeAjoPlaceRequest"];

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const byId = (id: string) => ({ params: { path: { id } } });
const keyedById = (key: string, id: string) => ({ params: { path: { id }, ...keyed(key) } });

export const getAvailableAjos = (q?: string) =>
  answer(client.GET("/api/Ajo/GetAvailableAjoGroups", { params: { query: { q } } }));

export const getUserAjos = (userId: string) =>
  answer(client.GET("/api/Ajo/GetUserAjoGroups", { params: { query: { userId } } }));

export const getAjo = (id: string) => answer(client.GET("/api/Ajo/GetAjoById/{id}", byId(id)));

/** What somebody may read before they join. */
export const getAjoData = (id: string, code?: string) =>
  answer(client.GET("/api/Ajo/GetAjoDataById/{id}", { params: { path: { id }, query: { code } } }));

export const getAjoContributions = (id: string) => answer(client.GET("/api/Ajo/member-contribution/{id}", byId(id)));

/** The payments of an ajo, or one's own of all. */
export const getAjoHistory = (ajoId?: string, before?: string) =>
  answer(client.POST("/api/Ajo/ajo-payment-history", { body: { ajoId, before } }));

export const ajoBookAsCsv = (id: string) =>
  fileAnswer(client.GET("/api/v1/ajo/{id}/book.csv", { ...byId(id), parseAs: "blob" }));

export const getAjoDues = () => answer(client.GET("/api/v1/ajo/dues"));

/** What terms come to; records nothing. */
export const previewAjo = (body: AjoTerms) => answer(client.POST("/api/v1/ajo/preview", { body }));

export const createAjo = (key: string, body: CreateAjo) =>
  untilAnswered(() => answer(client.POST("/api/Ajo/CreateExistingGroupAjo", { params: keyed(key), body })));

/** Other terms while the list is open: whoever has joined accepts them in time, or is released. */
export const changeAjoTerms = (key: string, id: string, body: AjoTerms) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/terms", { ...keyedById(key, id), body })));

/** What was over before, told again; nothing where there was nothing. */
export const tellAjoPast = (key: string, id: string, existing: Schemas["AjoPast"][]) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/past", { ...keyedById(key, id), body: { existing } })));

export const joinAjo = (key: string, body: JoinAjo) =>
  untilAnswered(() => answer(client.POST("/api/Ajo/JoinAjoGroup", { params: keyed(key), body })));

export const takeAjoPlace = (key: string, id: string, body: TakePlace) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/places/take", { ...keyedById(key, id), body })));

export const sendAjoInvitations = (key: string, body: Schemas["SendAjoInvitationRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/Ajo/SendAjoInvitationLink", { params: keyed(key), body })));

export const getAjoPayout = (id: string, cycle: number) =>
  answer(client.GET("/api/v1/ajo/{id}/payouts/{cycle}", { params: { path: { id, cycle: String(cycle) } } }));
