import { getMembers, type MemberFilters } from "@/api/groups";
import { ofGroup } from "@/store/sources";
import { usePages } from "@/store/useRead";

/** A group's members, page after page: what has changed is read anew where it is in view. */
export function useMembers(groupId: string, filters: MemberFilters) {
  const { rows: members, ...list } = usePages({
    ...ofGroup(groupId),
    key: `members:${groupId}:${filters.status ?? ""}:${filters.q ?? ""}`,
    rows: "members",
    read: ({ before }) => getMembers(groupId, filters, before),
  });
  return { ...list, members, count: list.first?.count ?? 0 };
}
