import { useCallback, useEffect, useMemo, useState } from "react";
import { ask, askOpen } from "./asking";
import type { OpenCommand } from "./commandSlice";
import { note } from "./commands";
import { useStore } from "./store";

/** A later word has taken its place, or its person has looked at what it started. */
const isLeft = ({ passed, free, started }: OpenCommand) => passed && (free || started);

/** What the person signed in has sent and nobody has told the outcome of, the latest first. The server is asked. */
export function useUnanswered(): OpenCommand[] {
  const person = useStore(({ session }) => session?.id);
  const commands = useStore((state) => state.commands);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what another person sent is another list
  useEffect(() => void askOpen(), [person]);
  return useMemo(
    () =>
      Object.values(commands)
        .filter((one) => !one.known && !one.sending && !isLeft(one))
        .sort((one, other) => other.at - one.at),
    [commands],
  );
}

/** One of them: asks the server about it at the person's wish, and says where there is no answer yet. */
export function useAsking(command: OpenCommand) {
  const [asking, setAsking] = useState(false);
  const [notYet, setNotYet] = useState(false);
  const askNow = useCallback(async () => {
    setAsking(true);
    const isKnown = await ask(command);
    if (isKnown) useStore.getState().refreshAll();
    setAsking(false);
    setNotYet(!isKnown);
  }, [command]);
  const leave = useCallback(() => {
    note(useStore.getState().session?.id ?? "", command.key, { passed: true });
  }, [command.key]);
  return { asking, notYet, ask: () => void askNow(), leave };
}
