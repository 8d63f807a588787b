import { getMembers, type MemberFilters } from "@/api/groups";
import type { Member } from "@/api/types";
import { useGroupTick } from "@/store/useGroupReading";
import { usePages } from "@/store/usePages";

/** A group's members, page after page: what has changed is read anew where it is in view. */
export function useMembers(groupId: string, filters: MemberFilters) {
  const read = (before?: string) => getMembers(groupId, filters, before);
  const list = usePages(read, `${groupId}:${filters.status ?? ""}:${filters.q ?? ""}`);
  useGroupTick(groupId, () => void list.load());
  const members: Member[] = list.pages.flatMap((page) => page.members);
  return { ...list, members, count: list.pages[0]?.count ?? 0 };
}
