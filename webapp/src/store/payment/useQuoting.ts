import { useRef, useState } from "react";

/** The question of a form, as what it costs: an answer about an earlier form, or one that was left, is dropped. */
export function useQuoting() {
  const last = useRef<object>(undefined);
  const [quoting, setQuoting] = useState(false);
  return {
    quoting,
    /** A question begins. Answers whether it is still the last one, which it is no more once the form was left. */
    begin() {
      const mine = {};
      last.current = mine;
      setQuoting(true);
      return () => last.current === mine;
    },
    /** It is answered, or its form was left. */
    end() {
      last.current = undefined;
      setQuoting(false);
    },
  };
}
