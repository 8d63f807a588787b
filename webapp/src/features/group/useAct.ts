import { useDeeds } from "@/store/useDeeds";

/** Writes of a group's screen. `pays`: they move money. */
export const useAct = (groupId: string, pays = false) => useDeeds([`group:${groupId}`], pays);
