import { useCallback, useEffect, useMemo, useRef } from "react";
import { type Remote, type Source, toRemote } from "./source";
import { type State, useStore } from "./store";

const loading = { state: "loading" } as const;
const nothing = <T>(): Source<T> => ({ key: "", area: "account", read: () => new Promise(() => {}) });

/** Selects a source's answers, and reads them again whenever a screen opens that shows them. */
function useKept<T>(source: Source<T>) {
  const { key } = source;
  const latest = useRef(source);
  latest.current = source;
  const read = useStore((state): State["reads"][string] | undefined => state.reads[key]);
  // A change of who is signed in forgets all that was read: what is still on screen is read for the new session.
  const session = useStore(({ requests }) => requests);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session reads it again
  useEffect(() => {
    if (key !== "") return useStore.getState().show(latest.current);
  }, [key, session]);
  const load = useCallback(() => useStore.getState().load(latest.current), []);
  return { read: read as Parameters<typeof toRemote<T>>[0] | undefined, latest, load };
}

/** Reads a source; without one it reads nothing. */
export function useRead<T>(source: Source<T> | undefined) {
  const { read, latest, load } = useKept<T>(source ?? nothing());
  const remote = useMemo<Remote<T>>(() => (read ? toRemote(read) : loading), [read]);
  const put = useCallback((value: T) => useStore.getState().put(latest.current, value), [latest]);
  return { remote, load, put };
}

/** Selects a source that another part reads; undefined where none does. */
export function useKnown<T>({ key }: Source<T>): Remote<T> | undefined {
  const read = useStore((state): State["reads"][string] | undefined => state.reads[key]);
  return useMemo(() => read && (toRemote(read) as Remote<T>), [read]);
}

type RowOf<T, K extends keyof T> = T[K] extends readonly (infer Row)[] ? Row : never;

/** A long list, page by page by keyset; what is on screen stays while it is read again. */
export function usePages<T, K extends keyof T>(source: Source<T> & { rows: K }) {
  const { read, latest, load } = useKept<T>(source);
  const remote = useMemo<Remote<T>>(() => (read ? toRemote(read) : loading), [read]);
  const pages = useMemo(() => read?.pages.map(({ value }) => value) ?? [], [read?.pages]);
  const rows = useMemo(() => pages.flatMap((page) => page[source.rows] as RowOf<T, K>[]), [pages, source.rows]);
  const hasMore = Boolean((pages.at(-1) as { next?: string } | undefined)?.next);
  const next = useCallback(() => useStore.getState().loadMore(latest.current), [latest]);
  const ask = useCallback(() => useStore.getState().loadMore(latest.current, true), [latest]);
  const change = useCallback((each: (page: T) => T) => useStore.getState().change(latest.current, each), [latest]);
  return {
    remote,
    load,
    pages,
    /** The rows of all pages. */
    rows,
    /** The first page, which says how many there are. */
    first: pages[0],
    /** Reads the next page, where there is one: for a list that asks by itself at its end. */
    more: hasMore ? next : undefined,
    /** The same for a button. */
    askMore: hasMore ? ask : undefined,
    paging: read?.paging ?? false,
    change,
  };
}
