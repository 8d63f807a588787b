import type { Group } from "@/api/types";

type Office = Pick<Group, "role" | "memberStatus">;

/** Owner, approvers and validator see everything of the group. */
export const isOfficial = (group: Office) => group.memberStatus === "ACTIVE" && group.role !== "MEMBER";

/** What others pay and hold is open to officials always, and to members where the owner shows the total. */
export const seesTotals = (group: Office & Pick<Group, "totalHidden">) =>
  isOfficial(group) || (group.memberStatus === "ACTIVE" && !group.totalHidden);
