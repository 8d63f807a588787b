import { useState } from "react";

/**
 * What a person began to decide about: it stays as it was while something else may take its place. `version` names it.
 * `look` begins with what is there now, and `done` ends it.
 */
export function useSeen<T>(now: T, version: (shown: T) => string | undefined) {
  const [looked, setLooked] = useState<T>();
  const saw = looked ?? now;
  return {
    saw,
    changed: version(saw) !== version(now),
    look: () => setLooked(now),
    done: () => setLooked(undefined),
  };
}
