import { getDetails } from "@/api/groups";
import type { Group } from "@/api/types";
import type { Remote } from "@/store/remote";
import { useStore } from "@/store/store";
import { useGroupReading } from "@/store/useGroupReading";
import { useRemote } from "@/store/useRemote";

export function useGroup(id: string): { group: Remote<Group>; load: () => Promise<void> } {
  const loadGroup = useStore((state) => state.loadGroup);
  const load = () => loadGroup(id);
  return { group: useRemote((state) => state.groupById[id], load, id), load };
}

export function useSubAccounts(groupId: string) {
  const loadSubAccounts = useStore((state) => state.loadSubAccounts);
  const load = () => loadSubAccounts(groupId);
  return { list: useRemote((state) => state.subAccountsOf[groupId], load, groupId), load };
}

/** A group's officials and what is going on in it. */
export function useDetails(groupId: string) {
  return useGroupReading(groupId, () => getDetails(groupId));
}

/** Owner and approvers let people in and set the validator. */
export const mayApprove = (group: Group) =>
  group.memberStatus === "ACTIVE" && (group.role === "OWNER" || group.role === "APPROVER");

export const isOwner = (group: Group) => group.memberStatus === "ACTIVE" && group.role === "OWNER";

/** Whether the caller may pay in: a group that waits, is suspended, closes or ended takes nothing, nor from who is inactive. */
export const mayPay = ({ status, memberStatus }: Pick<Group, "status" | "memberStatus">) =>
  status === "ACTIVE" && memberStatus === "ACTIVE";
