/** Data that lives on the server. A refresh of what is ready keeps it ready, so that nothing flickers. */
export type Remote<T> =
  | { state: "idle" }
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; text: string; missing?: boolean };

export const idle: Remote<never> = { state: "idle" };

/** A list that is read page by page. */
export interface Paged<T> {
  items: T[];
  next?: string;
}

interface Placed {
  id: string;
}

/** The newest page laid over what was read before: new items on top, older pages kept. */
export function mergeFirstPage<T extends Placed>(before: Paged<T> | undefined, first: Paged<T>): Paged<T> {
  const last = first.items.at(-1);
  const cut = before?.items.findIndex((item) => item.id === last?.id) ?? -1;
  if (!before || cut < 0) return first;
  return { items: [...first.items, ...before.items.slice(cut + 1)], next: before.next };
}

export function appendPage<T extends Placed>(before: Paged<T>, page: Paged<T>): Paged<T> {
  const known = new Set(before.items.map((item) => item.id));
  return { items: [...before.items, ...page.items.filter((item) => !known.has(item.id))], next: page.next };
}
