import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { errorTexts } from "@/lib/texts/errors";

export const CHUNK_LIMIT_MS = 120_000;

function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(errorTexts.render)), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A screen in a file of its own, fetched when it is first shown; meanwhile a skeleton of its shape stands there. */
export function lazyScreen(load: () => Promise<ComponentType>, skeleton: ReactNode): ReactNode {
  const Screen = lazy(() => within(load(), CHUNK_LIMIT_MS).then((screen) => ({ default: screen })));
  return (
    <Suspense fallback={skeleton}>
      <Screen />
    </Suspense>
  );
}
