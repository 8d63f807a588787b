import { useActs } from "@/store/useCommand";

/** Writes of a group's screen. `pays`: they move money. */
export const useAct = (groupId: string, pays = false) => useActs([`group:${groupId}`], pays);
