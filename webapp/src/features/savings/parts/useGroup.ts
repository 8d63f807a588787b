import type { Group } from "@/api/types";
import type { Remote } from "@/store/remote";
import { useStore } from "@/store/store";
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

/** Owner and approvers let people in and set the validator. */
export const mayApprove = (group: Group) =>
  group.memberStatus === "ACTIVE" && (group.role === "OWNER" || group.role === "APPROVER");
