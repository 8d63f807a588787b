import { lastPosition } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import { present } from "@/lib/present";
import { toast } from "@/ui/toaster";
import { keepAnswer, keptAnswer } from "./offline";
import { type Area, following, later, nextOf, type Page, type Read, type Source, topicsOf } from "./source";
import type { Slice } from "./store";

export interface ReadSlice {
  /** Changed in place, since no component shows it. */
  requests: ReturnType<typeof newRequests>;
  reads: Record<string, Read<unknown>>;
  /** How the last request of an area failed, until one succeeds. */
  errors: Partial<Record<Area, string>>;
  /** Grows whenever the wallet is said to have moved. */
  walletTick: number;
  /** Reads it, again where it is there already: a list from the page `at` on. */
  load: <T>(source: Source<T>, at?: number) => Promise<void>;
  /** Reads the page after the last; `asked` by a person, who is told of every failure. */
  loadMore: <T>(source: Source<T>, asked?: boolean) => Promise<void>;
  /** Changes each page that is there, without asking the server. */
  change: <T>(source: Source<T>, each: (page: T) => T) => void;
  /** Puts one value in the place of all that was read. */
  put: <T>(source: Source<T>, value: T) => void;
  /** A screen opens that shows it: reads it, and keeps it until the answered function is called. */
  show: <T>(source: Source<T>) => () => void;
  /** Reads again just what is loaded and what the topics name. */
  refreshTopics: (topics: readonly string[]) => void;
  refreshGroup: (groupId: string) => void;
  refreshAll: () => void;
  /** Reads all again where the ledger may have become another one: an older position is no older answer then. */
  readAnew: () => void;
}

/** At most so many pages are read again when something has changed. */
const PAGES_AGAIN = 4;
const STALE_PAUSE_MS = 250;
const STALE_TRIES = 6;
/** A page that did not come is asked for again after so long. */
const MORE_PAUSE_MS = 5000;

interface Request {
  /** The page from which on to read once more. */
  next: number | undefined;
  done: Promise<void>;
}

/** The requests of one session. An answer to what is not here any more is dropped. */
const newRequests = () => ({
  running: new Map<string, Request>(),
  paging: new Map<string, object>(),
  toldFailed: new Set<string>(),
  /** By how many screens a source is shown. */
  shownBy: new Map<string, number>(),
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Setters = Parameters<Slice<ReadSlice>>;

/** Keeps the answers in the store, and errors per area. */
function keeper(set: Setters[0], get: Setters[1]) {
  const pagesOf = <T>(key: string) => (get().reads[key] as Read<T> | undefined)?.pages ?? [];
  const keep = <T>(source: Source<T>, change: Partial<Read<T>>) =>
    set(({ reads }) => {
      const before = reads[source.key] ?? { pages: [], paging: false };
      return { reads: { ...reads, [source.key]: { ...before, source, ...change } as Read<unknown> } };
    });
  const succeed = <T>(source: Source<T>, pages: Page<T>[]) => {
    keep(source, { pages, failed: undefined, at: present().getTime(), old: false });
    const user = get().session?.id ?? "";
    keepAnswer(user, source, pages, () => get().session?.id === user);
    const { [source.area]: gone, ...errors } = get().errors;
    if (gone !== undefined) set({ errors });
  };
  /** What the device keeps, where the server cannot be reached and nothing is on screen yet. */
  const recall = async <T>(source: Source<T>, error: unknown, isWanted: () => boolean) => {
    if (asFailure(error).kind !== "lost" || pagesOf(source.key).length > 0) return false;
    const kept = await keptAnswer(get().session?.id ?? "", source);
    if (!kept || !isWanted()) return false;
    const { value, asOf } = kept;
    set({ reached: false });
    keep(source, { pages: [{ value, position: asOf.position }], failed: undefined, at: asOf.at, old: true });
    return true;
  };
  const fail = <T>(source: Source<T>, error: unknown) => {
    const failure = asFailure(error);
    if (failure.expired) return;
    if (failure.kind === "lost") {
      set({ reached: false });
      if (pagesOf(source.key).length > 0) keep(source, { old: true });
    }
    const text = textOf(source, error);
    const missing = source.isMissing?.(error) ?? failure.status === 404;
    set(({ errors }) => ({ errors: { ...errors, [source.area]: text } }));
    // What is on screen stays, unless it is gone: a group that one has left shows nothing any more.
    if (pagesOf(source.key).length > 0 && !missing) return;
    keep(source, { pages: [], failed: { text, missing } });
    if (source.shared && !failure.certain) toast.error(text);
  };
  const query = (before?: string) => ({
    before,
    me: { id: get().session?.id ?? "", email: get().session?.email ?? "" },
  });
  return { requests: () => get().requests, pagesOf, keep, succeed, recall, fail, query };
}

type Keeper = ReturnType<typeof keeper>;

const textOf = <T>({ text = failureText }: Source<T>, error: unknown) => text(error);

/** Answers how to read a source: one request of a key at a time, and what is wished meanwhile right after. */
function reader({ requests, pagesOf, keep, succeed, recall, fail, query }: Keeper) {
  /** One page, asked for again while the server lags behind what this browser has caused. */
  const readPage = async <T>(source: Source<T>, before: string | undefined, isWanted: () => boolean) => {
    for (let tries = 0; ; tries++) {
      const { value, stale, position } = await source.read(query(before));
      const page = { before, value, position };
      if (!stale || tries >= STALE_TRIES || !isWanted()) return page;
      if (pagesOf(source.key).length === 0) succeed(source, [page]);
      await pause(STALE_PAUSE_MS);
      if (!isWanted()) return page;
    }
  };

  /** The pages from one on, read again one after another; those that follow are kept where they still join. */
  const readPages = async <T>(source: Source<T>, at: number, isWanted: () => boolean): Promise<Page<T>[]> => {
    const old = pagesOf<T>(source.key);
    const from = Math.min(at, Math.max(0, old.length - 1));
    const found = old.slice(0, from);
    let before = old[from]?.before;
    for (let place = from; place < Math.max(1, Math.min(old.length, from + PAGES_AGAIN)); place++) {
      const page = await readPage(source, before, isWanted);
      // A command may have answered meanwhile.
      found.push(later(pagesOf<T>(source.key)[place], page));
      before = nextOf(found[place] ?? page);
      if (!before) return found;
    }
    // A page may have come meanwhile.
    return [...found, ...following(source, found, pagesOf<T>(source.key))];
  };

  const run = async <T>(source: Source<T>, request: Request) => {
    const isWanted = () => requests().running.get(source.key) === request;
    while (isWanted() && request.next !== undefined) {
      const at = request.next;
      request.next = undefined;
      try {
        const pages = await readPages(source, at, isWanted);
        if (isWanted()) succeed(source, pages);
      } catch (error) {
        if (!isWanted() || (await recall(source, error, isWanted))) continue;
        if (isWanted()) fail(source, error);
      }
    }
    if (isWanted()) requests().running.delete(source.key);
  };

  return <T>(source: Source<T>, at: number): Promise<void> => {
    const { running } = requests();
    const busy = running.get(source.key);
    if (busy) {
      busy.next = Math.min(at, busy.next ?? at);
      return busy.done;
    }
    const request: Request = { next: at, done: Promise.resolve() };
    running.set(source.key, request);
    keep(source, {});
    request.done = run(source, request);
    return request.done;
  };
}

/** Answers how to read the page after the last: one at a time, and one that did not come is not asked for at once. */
function pager({ requests, pagesOf, keep, query }: Keeper) {
  return async <T>(source: Source<T>, asked: boolean) => {
    const { key } = source;
    const { paging, toldFailed } = requests();
    const last = pagesOf(key).at(-1);
    const before = last && nextOf(last);
    if (!before || paging.has(key)) return;
    const mine = {};
    const isWanted = () => requests().paging.get(key) === mine;
    paging.set(key, mine);
    keep(source, { paging: true });
    try {
      const { value } = await source.read(query(before));
      const pages = pagesOf<T>(key);
      const end = pages.at(-1);
      // Where the pages were read again and end elsewhere now, another page follows them.
      if (isWanted() && end && nextOf(end) === before) keep(source, { pages: [...pages, { before, value }] });
      toldFailed.delete(key);
    } catch (error) {
      const { expired, cancelled } = asFailure(error);
      const told = !asked && toldFailed.has(key);
      if (isWanted() && !told && !expired && !cancelled) toast.error(textOf(source, error));
      toldFailed.add(key);
      // Lists ask by themselves as long as they are at their end.
      if (!asked) await pause(MORE_PAUSE_MS);
    }
    if (!isWanted()) return;
    paging.delete(key);
    keep(source, { paging: false });
  };
}

const isGroup = (topic: string) => topic.startsWith("group:");

export const createReadSlice: Slice<ReadSlice> = (set, get) => {
  const kept = keeper(set, get);
  const load = reader(kept);
  const loadMore = pager(kept);
  return {
    requests: newRequests(),
    reads: {},
    errors: {},
    walletTick: 0,
    load: (source, at = source.inView?.() ?? 0) => load(source, at),
    loadMore: (source, asked = false) => loadMore(source, asked),
    change<T>(source: Source<T>, each: (page: T) => T) {
      const pages = kept.pagesOf<T>(source.key);
      if (pages.length === 0) return;
      const position = lastPosition();
      kept.keep(source, { pages: pages.map(({ before, value }) => ({ before, value: each(value), position })) });
    },
    put: (source, value) => kept.succeed(source, [{ value, position: lastPosition() }]),
    show(source) {
      const { key, shared } = source;
      const { requests } = get();
      const { running, paging, toldFailed, shownBy } = requests;
      shownBy.set(key, (shownBy.get(key) ?? 0) + 1);
      // What another part of the screen has just asked for comes for both.
      if (!running.has(key)) void load(source, 0);
      return () => {
        const left = (shownBy.get(key) ?? 1) - 1;
        if (left > 0) shownBy.set(key, left);
        else shownBy.delete(key);
        if (left > 0 || shared || get().requests !== requests) return;
        running.delete(key);
        paging.delete(key);
        toldFailed.delete(key);
        set(({ reads: { [key]: _closed, ...reads } }) => ({ reads }));
      };
    },
    refreshTopics(topics) {
      const named = new Set(topics);
      if (topics.some(isGroup)) named.add("group");
      if (named.has("wallet")) set(({ walletTick }) => ({ walletTick: walletTick + 1 }));
      for (const read of Object.values(get().reads)) {
        if (topicsOf(read).some((topic) => named.has(topic))) void get().load(read.source);
      }
    },
    refreshGroup: (groupId) => get().refreshTopics([`group:${groupId}`]),
    readAnew() {
      for (const { source, pages } of Object.values(get().reads)) {
        kept.keep(source, { pages: pages.map(({ position: _, ...page }) => page) });
      }
      get().refreshAll();
    },
    refreshAll() {
      get().refreshTopics(["wallet", "activity", "notifications", ...Object.values(get().reads).flatMap(topicsOf)]);
    },
  };
};
