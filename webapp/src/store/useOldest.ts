import { useShallow } from "zustand/react/shallow";
import type { AsOf } from "./source";
import { useStore } from "./store";

/** Of when the oldest of all that was read is; undefined where nothing was. */
export function useOldest(): AsOf | undefined {
  return useStore(
    useShallow(({ reads }) => {
      const read = Object.values(reads).filter(({ at, pages }) => at !== undefined && pages.length > 0);
      const oldest = read.sort((one, other) => (one.at ?? 0) - (other.at ?? 0))[0];
      return oldest?.at === undefined ? undefined : { at: oldest.at, position: oldest.pages[0]?.position };
    }),
  );
}
