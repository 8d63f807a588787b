import { chakra } from "@chakra-ui/react";
import { type ComponentType, type ReactNode, useLayoutEffect, useState } from "react";
import { errorTexts } from "@/lib/texts/errors";
import { FailedNote } from "./Empty";

const FETCH_LIMIT_MS = 120_000;

/** The part, or an error where its file did not come in time. */
async function fetchPart<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The file did not come in time.")), FETCH_LIMIT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For a dialog or a drawer. */
function Floating({ retry }: { retry: () => void }) {
  return (
    <chakra.div
      position="fixed"
      bottom="calc(var(--frame-bottom) + 1rem)"
      insetEnd="4"
      zIndex="toast"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      px="4"
      py="2"
    >
      <FailedNote text={errorTexts.part} onRetry={retry} />
    </chakra.div>
  );
}

interface Options<P> {
  /** Shown until the part has come. */
  waiting?: ReactNode | ((props: P) => ReactNode);
  /** Shown when it did not come. */
  failed?: (retry: () => void, props: P) => ReactNode;
}

/** In the place of a part that did not come. */
export const inPlace = (retry: () => void) => <FailedNote text={errorTexts.part} onRetry={retry} />;

/** The one file of a part, for all places that show it. */
interface Kept<P> {
  part?: ComponentType<P>;
  coming?: Promise<ComponentType<P>>;
  load: () => Promise<ComponentType<P>>;
}

/** Fetches once; what did not come is fetched anew when it is next asked for. */
function fetchOnce<P>(kept: Kept<P>) {
  kept.coming ??= fetchPart(kept.load).then(
    (part) => {
      kept.part = part;
      return part;
    },
    (error) => {
      kept.coming = undefined;
      throw error;
    },
  );
  return kept.coming;
}

interface PartProps<P> extends Options<P> {
  kept: Kept<P>;
  props: P;
}

function Part<P extends object>({ kept, props, waiting, failed }: PartProps<P>) {
  const [Fetched, setFetched] = useState(() => kept.part);
  const [lost, setLost] = useState(false);
  useLayoutEffect(() => {
    if (Fetched || lost) return;
    let shown = true;
    fetchOnce(kept).then(
      (part) => shown && setFetched(() => part),
      () => shown && setLost(true),
    );
    return () => {
      shown = false;
    };
  }, [kept, Fetched, lost]);
  if (Fetched) return <Fetched {...props} />;
  const retry = () => setLost(false);
  if (lost) return failed?.(retry, props) ?? <Floating retry={retry} />;
  return typeof waiting === "function" ? waiting(props) : waiting;
}

export interface LazyPart<P> {
  (props: P): ReactNode;
  /** Fetches it before it is shown; whether it came is seen when it is. */
  fetch: () => Promise<void>;
}

/**
 * A part in a file of its own, fetched when it is first shown; where it does not come it can be asked for again.
 * Without React's own `lazy`: what once stands in for a part stays there for 300 ms, and in a part within a part for
 * as long again, although the file has come.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  options: Options<P> = {},
): LazyPart<P> {
  const kept: Kept<P> = { load };
  return Object.assign((props: P) => <Part kept={kept} props={props} {...options} />, {
    fetch: () =>
      fetchOnce(kept).then(
        () => {},
        () => {},
      ),
  });
}
