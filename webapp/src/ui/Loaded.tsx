import type { ReactNode } from "react";
import { FailedNote } from "./Empty";
import { AsOf, type AsOfProps } from "./offline/AsOf";

interface LoadedProps<T> {
  remote: { state: "loading" } | { state: "ready"; value: T; asOf?: AsOfProps } | { state: "failed"; text: string };
  skeleton: ReactNode;
  onRetry: () => unknown;
  children: (value: T) => ReactNode;
}

/** Shows data of the server in its three states: loading, ready or failed. What may be old says of when it is. */
export function Loaded<T>({ remote, skeleton, onRetry, children }: LoadedProps<T>) {
  switch (remote.state) {
    case "loading":
      return skeleton;
    case "failed":
      return <FailedNote text={remote.text} onRetry={onRetry} />;
    case "ready":
      return (
        <>
          {remote.asOf && <AsOf {...remote.asOf} />}
          {children(remote.value)}
        </>
      );
  }
}
