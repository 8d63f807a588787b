import { useEffect, useRef } from "react";

/** Where keys are for typing, choosing or scrolling. */
const TYPED = "input:not([type=checkbox]):not([type=range]), textarea, select, pre, [role=dialog] *";

/** Keys of a screen, by their names in small letters; none while `quiet`, nor with a modifier. */
export function useKeys(press: Record<string, () => unknown>, quiet: boolean) {
  const keys = useRef(press);
  keys.current = press;
  useEffect(() => {
    if (quiet) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED)) return;
      const act = keys.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [quiet]);
}
