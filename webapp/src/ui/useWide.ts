import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 1024px)"; // Chakra's lg.

/** Whether there is room for two columns. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => window.matchMedia(WIDE).matches,
  );
}
