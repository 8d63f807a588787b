import { useEffect } from "react";
import { idle, type Remote } from "./remote";
import { type State, useStore } from "./store";

/** Selects data of the server and has it read when the screen opens (again, quietly, if it is there already). */
export function useRemote<T>(
  select: (state: State) => Remote<T> | undefined,
  load: () => Promise<void>,
  key = "",
): Remote<T> {
  const remote = useStore(select) ?? idle;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each key, whatever the closure
  useEffect(() => void load(), [key]);
  return remote;
}
