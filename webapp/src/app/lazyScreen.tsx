import type { ComponentType, ReactNode } from "react";
import { inPlace, type LazyPart, lazyPart } from "@/ui/lazyPart";

export type LazyScreen = LazyPart<object>;

/** A screen in a file of its own; meanwhile a skeleton of its shape stands there. */
export function lazyScreen(load: () => Promise<ComponentType>, skeleton: ReactNode): ReactNode {
  const Screen = lazyPart(load, { waiting: skeleton, failed: inPlace });
  return <Screen />;
}
