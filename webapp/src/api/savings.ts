import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { components } from "./schema.gen";

type Schemas = components["schemas"];
export type CreateGroup = Schemas["CreateGroupRequest"];
export type CreateSubAccount = Schemas["CreateSubAccountRequest"];

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const byId = (id: string) => ({ params: { path: { id } } });

export const getGroups = (userId: string) =>
  answer(client.GET("/api/GroupSavings/GetUserGroupSavings/{id}", byId(userId)));

export const getGroup = (id: string) => answer(client.GET("/api/GroupSavings/GetGroupSavingsInfo/{id}", byId(id)));

export const getSubAccounts = (groupId: string) =>
  answer(client.GET("/api/GroupSavings/GetGroupSubAccounts/{id}", byId(groupId)));

export const createGroup = (key: string, body: CreateGroup) =>
  untilAnswered(() => answer(client.POST("/api/GroupSavings/CreateGroupSavings", { params: keyed(key), body })));

export const createSubAccount = (key: string, body: CreateSubAccount) =>
  untilAnswered(() => answer(client.POST("/api/GroupSavings/CreateSubAccount", { params: keyed(key), body })));

export const joinGroup = (key: string, body: Schemas["JoinGroupRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/GroupSavings/JoinGroupSavings", { params: keyed(key), body })));

export const getInvitation = (groupId: string, code: string) =>
  answer(client.GET("/api/v1/savings/invitations/{id}", { params: { path: { id: groupId }, query: { code } } }));

export const searchGroups = (q: string, signal?: AbortSignal) =>
  answer(client.GET("/api/v1/savings/search", { params: { query: { q } }, signal }));
