import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { components, SearchView } from "./schema.gen";

/** How a group lives: its people, offices, documents, and its end. */
type Schemas = components["schemas"];
export type Standing = Schemas["Member"]["status"];
export type BulkAction = Schemas["BulkMembersRequest"]["action"];

const PAGE = 100;

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const byId = (id: string) => ({ params: { path: { id } } });
const keyedById = (key: string, id: string) => ({ params: { path: { id }, ...keyed(key) } });

export const getPending = (id: string) => answer(client.GET("/api/GroupSavings/pending-group-savings/{id}", byId(id)));

export const getDetails = (id: string) => answer(client.GET("/api/GroupSavings/GetGroupDetails/{id}", byId(id)));

export interface MemberFilters {
  q?: string;
  status?: Standing;
}

export const getMembers = (id: string, filters: MemberFilters, before?: string, limit = PAGE) =>
  answer(
    client.GET("/api/GroupSavings/member-savings/{id}", {
      params: { path: { id }, query: { ...filters, before, limit } },
    }),
  );

export const addMember = (key: string, groupId: string, email: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/GroupSavings/AddGroupMember", { params: keyed(key), body: { groupId, email } })),
  );

export const sendInvitations = (key: string, body: Schemas["SendInvitationRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/GroupSavings/SendSavingsInvitationLink", { params: keyed(key), body })));

export const changeMembers = (key: string, body: Schemas["BulkMembersRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/members/bulk", { params: keyed(key), body })));

export const approveMember = (key: string, groupId: string, memberId: string) =>
  untilAnswered(() =>
    answer(client.PATCH("/api/GroupSavings/ApproveGroupMember", { params: keyed(key), body: { groupId, memberId } })),
  );

export const rejectMember = (key: string, body: Schemas["GroupMemberReasonRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/savings/members/reject", { params: keyed(key), body })));

export const deactivateMember = (key: string, body: Schemas["GroupMemberReasonRequest"]) =>
  untilAnswered(() => answer(client.PATCH("/api/GroupSavings/DeactivateGroupMember", { params: keyed(key), body })));

export const setValidator = (key: string, groupId: string, memberId: string) =>
  untilAnswered(() =>
    answer(client.PATCH("/api/GroupSavings/SetGroupValidator", { params: keyed(key), body: { groupId, memberId } })),
  );

export const appointApprover = (key: string, groupId: string, memberId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/approvers", { ...keyedById(key, groupId), body: { memberId } })),
  );

export const removeApprover = (key: string, id: string, member: string) =>
  untilAnswered(() =>
    answer(
      client.DELETE("/api/v1/savings/groups/{id}/approvers/{member}", {
        params: { path: { id, member }, ...keyed(key) },
      }),
    ),
  );

export const answerInvitation = (key: string, groupId: string, accept: boolean) =>
  untilAnswered(() =>
    answer(
      accept
        ? client.POST("/api/v1/savings/invitations/{id}/accept", keyedById(key, groupId))
        : client.POST("/api/v1/savings/invitations/{id}/decline", keyedById(key, groupId)),
    ),
  );

/** How long payments of the group wait so that members can object. */
export const setNotice = (key: string, groupId: string, hours: number) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/notice", {
        params: { path: { id: groupId }, ...keyed(key) },
        body: { hours },
      }),
    ),
  );

export const showGroupTotal = (key: string, groupId: string, showTotalBalance: boolean) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/GroupSavings/update-balance-display", {
        params: keyed(key),
        body: { groupId, showTotalBalance },
      }),
    ),
  );

export const showSubAccountTotal = (key: string, subAccountId: string, showTotalToMembers: boolean) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/GroupSavings/sub-account/update-balance-display", {
        params: keyed(key),
        body: { subAccountId, showTotalToMembers },
      }),
    ),
  );

export const setSearchView = (key: string, groupId: string, view: SearchView) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/search-view", { ...keyedById(key, groupId), body: view })),
  );

export const offerOwnership = (key: string, groupId: string, memberId: string) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/ownership/offer", { ...keyedById(key, groupId), body: { memberId } }),
    ),
  );

export const answerOwnership = (key: string, groupId: string, accept: boolean, seen?: string) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/ownership/answer", {
        ...keyedById(key, groupId),
        body: { accept, seen },
      }),
    ),
  );

export const proposeSuccession = (key: string, groupId: string, memberId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/succession", { ...keyedById(key, groupId), body: { memberId } })),
  );

/** A vote in the vote that the voter was shown. */
export const voteSuccession = (
  key: string,
  groupId: string,
  body: { candidateId: string; seen: string; agrees: boolean },
) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/v1/savings/groups/{id}/succession/vote", {
        ...keyedById(key, groupId),
        body,
      }),
    ),
  );

export const getLeaving = (groupId: string) => answer(client.GET("/api/v1/savings/groups/{id}/leaving", byId(groupId)));

/** `saved`: what the member was shown that they give up, in naira. */
export const leaveGroup = (key: string, groupId: string, forfeit: boolean, saved?: number) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/leave", { ...keyedById(key, groupId), body: { forfeit, saved } })),
  );

export const cancelGroup = (key: string, groupId: string, reason: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/cancel", { ...keyedById(key, groupId), body: { reason } })),
  );

export const closeGroup = (key: string, groupId: string, reason: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/savings/groups/{id}/close", { ...keyedById(key, groupId), body: { reason } })),
  );

export const getDocuments = (groupId: string) =>
  answer(client.GET("/api/GroupSavings/get-group-documents/{id}", byId(groupId)));

export const getMyDocuments = () => answer(client.GET("/api/v1/savings/documents"));

export const removeDocument = (key: string, id: string) =>
  untilAnswered(() => answer(client.DELETE("/api/v1/savings/documents/{id}", keyedById(key, id))));
