import type { Answer } from "@/api/client";
import type { State } from "./store";

/** Errors are kept per area. */
export type Area =
  | "account"
  | "savings"
  | "ajo"
  | "wallet"
  | "payment"
  | "activity"
  | "finance"
  | "disputes"
  | "support"
  | "operator";

interface Query {
  /** The page before this place of the list; the first page where it is absent. */
  before?: string;
  me: { id: string; email: string };
}

/** One thing that the server answers, and all that is needed to read it and to keep it fresh. */
export interface Source<T> {
  /** Another key is another thing. One request of a key runs at a time. */
  key: string;
  area: Area;
  read: (query: Query) => Promise<Answer<T>>;
  /** The live topics that tell of a change; `group` stands for every group. */
  topics?: readonly string[] | ((value: T | undefined) => readonly string[]);
  text?: (error: unknown) => string;
  /** Whether a failure says that it does not exist: a 404, unless said otherwise. */
  isMissing?: (error: unknown) => boolean;
  /** Many screens show it: it is kept when the last of them closes, and a toast tells that it can't be read. */
  shared?: boolean;
  /** The field with the rows of a page, for a list. */
  rows?: keyof T;
  /**
   * The device keeps it for when there is no network; of a list so many rows. Only what a person may lose with an
   * unlocked phone: see offline.ts for the fields that are dropped.
   */
  kept?: true | number;
  /** The page that is in view. */
  inView?: () => number;
}

/** Of when an answer is: a time of the server in ms since 1970, and the ledger's position where that is known. */
export interface AsOf {
  at: number;
  position?: number;
}

/** Data of the server; `asOf` where it may be old, because the server cannot be reached. A refresh of what is ready keeps it ready, so that nothing flickers. */
export type Remote<T> =
  | { state: "loading" }
  | { state: "ready"; value: T; asOf?: AsOf }
  | { state: "failed"; text: string; missing: boolean };

export interface Page<T> {
  before?: string;
  value: T;
  /** The ledger's position that it stands for, where that is known. */
  position?: number;
}

/** An answer that stands for an older position takes no newer one's place. */
export const later = <T>(shown: Page<T> | undefined, page: Page<T>): Page<T> =>
  shown?.position && page.position && shown.before === page.before && page.position < shown.position ? shown : page;

/** The answers to a source: the pages of a list, or one page. */
export interface Read<T> {
  source: Source<T>;
  pages: Page<T>[];
  failed?: { text: string; missing: boolean };
  /** The page after the last is on its way. */
  paging: boolean;
  /** When the server last answered it. */
  at?: number;
  /** The server could not be reached when it was asked again. */
  old?: boolean;
}

/** Where the next page begins; a page that leads to itself is the last. */
export function nextOf({ before, value }: Page<unknown>): string | undefined {
  const { next } = (value ?? {}) as { next?: string };
  return next === before ? undefined : next;
}

const rowsOf = <T>({ rows }: Source<T>, page: T) => (rows ? (page[rows] as { id?: string }[]) : []);

/** The old pages that follow the new ones: from the same place on, or after the last row that both have. */
export function following<T>(source: Source<T>, found: Page<T>[], old: Page<T>[]): Page<T>[] {
  const last = found.at(-1);
  if (!last) return [];
  const next = nextOf(last);
  if (!next) return [];
  const same = old.slice(found.length);
  if (same[0]?.before === next) return same;
  const id = rowsOf(source, last.value).at(-1)?.id;
  if (!id) return [];
  for (const [at, page] of old.entries()) {
    const place = rowsOf(source, page.value).findIndex((row) => row.id === id);
    if (place < 0) continue;
    const rest = rowsOf(source, page.value).slice(place + 1);
    const joint = { before: next, value: { ...page.value, [source.rows as keyof T]: rest } };
    return rest.length > 0 ? [joint, ...old.slice(at + 1)] : old.slice(at + 1);
  }
  return [];
}

/** The live topics that tell of a change of what was read. */
export const topicsOf = ({ source, pages }: Read<unknown>) =>
  typeof source.topics === "function" ? source.topics(pages[0]?.value) : (source.topics ?? []);

/** Of when it is, where it may be old. */
export const asOfOf = ({ pages: [first], at, old }: Pick<Read<unknown>, "pages" | "at" | "old">): AsOf | undefined =>
  old && at !== undefined ? { at, position: first?.position } : undefined;

export function toRemote<T>(read: Read<T>): Remote<T> {
  const { pages, failed } = read;
  const asOf = asOfOf(read);
  if (pages[0]) return { state: "ready", value: pages[0].value, ...(asOf && { asOf }) };
  return failed ? { state: "failed", ...failed } : { state: "loading" };
}

/** The pages of a source that are there; one where it is no list. */
export const valuesIn = <T>({ reads }: Pick<State, "reads">, { key }: Source<T>): T[] =>
  (reads[key] as Read<T> | undefined)?.pages.map(({ value }) => value) ?? [];

/** The value of a source, once it is there. */
export const valueIn = <T>({ reads }: Pick<State, "reads">, { key }: Source<T>): T | undefined =>
  (reads[key] as Read<T> | undefined)?.pages[0]?.value;
