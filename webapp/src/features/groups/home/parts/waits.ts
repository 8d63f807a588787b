import type { AgendaRow } from "@/api/schema.gen";
import { isOfficial } from "@/features/groups/frame";
import { agendaSource } from "@/store/sources";
import { useRead } from "@/store/useRead";

type Office = Parameters<typeof isOfficial>[0] & { id: string };

/** The page says these by itself: the due in its bar, the setup and the change of owner in their own places. */
const ELSEWHERE = ["GROUP_DUE", "GROUP_SETUP", "INVITATION", "OWNERSHIP", "SUCCESSION"];

/** What waits for an official in a group, in the order of Home; nothing for a plain member. */
export function useWaits(group: Office): AgendaRow[] {
  const { remote } = useRead(isOfficial(group) ? agendaSource : undefined);
  if (remote.state !== "ready") return [];
  return remote.value.filter(
    ({ kind, place }) => place?.kind === "GROUP" && place.id === group.id && !ELSEWHERE.includes(kind),
  );
}
