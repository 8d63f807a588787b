import type { ReactNode } from "react";
import { FailedNote } from "./Empty";

interface LoadedProps<T> {
  remote: { state: "loading" } | { state: "ready"; value: T } | { state: "failed"; text: string };
  skeleton: ReactNode;
  onRetry: () => unknown;
  children: (value: T) => ReactNode;
}

/** Shows data of the server in its three states: loading, ready or failed. */
export function Loaded<T>({ remote, skeleton, onRetry, children }: LoadedProps<T>) {
  switch (remote.state) {
    case "loading":
      return skeleton;
    case "failed":
      return <FailedNote text={remote.text} onRetry={onRetry} />;
    case "ready":
      return children(remote.value);
  }
}
