import { useDeeds } from "@/store/useDeeds";

/** Writes of a group's screen. */
export const useAct = (groupId: string) => useDeeds([`group:${groupId}`]);
