import { getCards } from "@/api/payments";
import type { CardDetail } from "@/api/types";
import { useReading } from "./useReading";

/** The saved cards to choose from; none while they are not known. */
export function useCards(): CardDetail[] {
  const { remote } = useReading(getCards);
  return remote.state === "ready" ? remote.value : [];
}
