import type { ReactNode } from "react";
import { Note } from "./bits";

const t = { title: "This has changed since you looked", saw: "You saw: ", now: "There is now: " };

/** Both of what somebody decides about: what they saw, and what is there now. */
export function Changed({ saw, now }: { saw: ReactNode; now: ReactNode }) {
  return (
    <Note tone="warning" title={t.title} live>
      <p>
        {t.saw}
        {saw}
      </p>
      <p>
        {t.now}
        {now}
      </p>
    </Note>
  );
}
