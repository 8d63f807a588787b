import { chakra } from "@chakra-ui/react";
import { type ReactNode, useEffect, useRef } from "react";

/** Steps that take one another's place: the focus goes along, or it would be lost with the button that was pressed. */
export function Steps({ at, children }: { at: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(at);
  useEffect(() => {
    if (before.current !== at) place.current?.focus({ preventScroll: true });
    before.current = at;
  }, [at]);
  return (
    <chakra.div ref={place} tabIndex={-1} outline="0">
      {children}
    </chakra.div>
  );
}
