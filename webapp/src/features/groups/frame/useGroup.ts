import { getDetails } from "@/api/groups";
import type { Group } from "@/api/schema.gen";
import { groupSource, ofGroup, subAccountsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";

export function useGroup(id: string) {
  const { remote: group, load } = useRead(groupSource(id));
  return { group, load };
}

export function useSubAccounts(groupId: string) {
  const { remote: list, load } = useRead(subAccountsSource(groupId));
  return { list, load };
}

/** A group's officials and what is going on in it. */
export function useDetails(groupId: string) {
  return useRead({ ...ofGroup(groupId), key: `details:${groupId}`, read: () => getDetails(groupId) });
}

/** Owner and approvers let people in and set the validator. */
export const mayApprove = (group: Group) =>
  group.memberStatus === "ACTIVE" && (group.role === "OWNER" || group.role === "APPROVER");

export const isOwner = (group: Group) => group.memberStatus === "ACTIVE" && group.role === "OWNER";

/** Whether the caller may pay in: only an active member of an active group may. */
export const mayPay = ({ status, memberStatus }: Pick<Group, "status" | "memberStatus">) =>
  status === "ACTIVE" && memberStatus === "ACTIVE";
