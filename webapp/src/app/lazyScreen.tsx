import type { ComponentType, ReactNode } from "react";
import { inPlace, lazyPart } from "@/ui/lazyPart";

/** A screen in a file of its own; meanwhile a skeleton of its shape stands there. */
export function lazyScreen(load: () => Promise<ComponentType>, skeleton: ReactNode): ReactNode {
  const Screen = lazyPart(load, { waiting: skeleton, failed: inPlace });
  return <Screen />;
}
