import type { Group } from "@/api/schema.gen";

type Office = Pick<Group, "role" | "memberStatus">;

/** Owner, approvers and validator see everything of the group. */
export const isOfficial = (group: Office) => group.memberStatus === "ACTIVE" && group.role !== "MEMBER";

/** Officials always see others' payments and totals; members see them where the owner shows the total. */
export const seesTotals = (group: Office & Pick<Group, "totalHidden">) =>
  isOfficial(group) || (group.memberStatus === "ACTIVE" && !group.totalHidden);
