import { chakra } from "@chakra-ui/react";
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { errorTexts } from "@/lib/texts/errors";
import { FailedNote } from "./Empty";

const FETCH_LIMIT_MS = 120_000;

/** A file of the app did not come. */
class NotFetched extends Error {}

async function fetchPart<P>(load: () => Promise<ComponentType<P>>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NotFetched()), FETCH_LIMIT_MS);
  });
  try {
    return { default: await Promise.race([load(), late]) };
  } catch (error) {
    throw new NotFetched(String(error));
  } finally {
    clearTimeout(timer);
  }
}

interface BoundaryProps {
  failed: (retry: () => void) => ReactNode;
  onRetry: () => void;
  children: ReactNode;
}

/** Stands in for a part that did not come; any other error is for the boundary above. */
class FetchBoundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    this.props.onRetry();
    this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof NotFetched) return this.props.failed(this.retry);
    throw error;
  }
}

/** For a dialog or a drawer. */
function Floating({ retry }: { retry: () => void }) {
  return (
    <chakra.div
      position="fixed"
      bottom="4"
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

interface PartProps<P> extends Options<P> {
  fetched: { current: ComponentType<P> };
  refetch: () => void;
  props: P;
}

function Part<P extends object>({ fetched, refetch, props, waiting, failed }: PartProps<P>) {
  const [Fetched, setFetched] = useState(() => fetched.current);
  const again = () => {
    refetch();
    setFetched(() => fetched.current);
  };
  return (
    <FetchBoundary failed={(retry) => failed?.(retry, props) ?? <Floating retry={retry} />} onRetry={again}>
      <Suspense fallback={typeof waiting === "function" ? waiting(props) : waiting}>
        <Fetched {...props} />
      </Suspense>
    </FetchBoundary>
  );
}

/** A part in a file of its own, fetched when it is first shown; where it does not come it can be asked for again. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, options: Options<P> = {}) {
  const fetchLazily = () => lazy(() => fetchPart(load)) as unknown as ComponentType<P>;
  const fetched = { current: fetchLazily() };
  const refetch = () => {
    fetched.current = fetchLazily();
  };
  return (props: P) => <Part fetched={fetched} refetch={refetch} props={props} {...options} />;
}
