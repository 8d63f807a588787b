import type { PersistStorage, StorageValue } from "zustand/middleware";
import { digest } from "@/lib/digest";
import { place } from "@/lib/place";
import type { Session } from "./sessionSlice";

/** What a browser keeps for all its tabs. */
export interface Kept {
  session: Session | null;
  sidebarCollapsed: boolean;
  figuresHidden: boolean;
  savedFilters: Record<string, unknown[]>;
  signedUpAs: string | null;
}

/** What an earlier build kept with it, of the person signed in: keys by name, and those not sent under yet. */
interface Earlier extends Partial<Kept> {
  intents?: Record<string, string>;
  unsent?: Record<string, string>;
}

/** The one key under which the app keeps its state in the browser. */
export const ROOT_KEY = "adashi";
/** Keys that an earlier build kept, each person's by their id. */
export const OPEN_KEY = "adashi-open:";
/** Keys of open forms, by the person's id and a digest of the form's name: nothing was sent under them yet. */
export const DRAFT_KEY = "adashi-draft:";

function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

const read = <T>(key: string) => tried(() => JSON.parse(place()?.getItem(key) ?? "") as T);
/** Answers whether it is kept: a full device keeps what it had. */
const write = (key: string, value: unknown) =>
  tried(() => {
    place()?.setItem(key, JSON.stringify(value));
    return true;
  });

/** What is not the same in another of its kind. */
const changes = <T extends object>(to: T, from: Partial<T>) =>
  Object.fromEntries(Object.entries(to).filter(([field, value]) => value !== from[field as keyof T])) as Partial<T>;

/** Keeps what an earlier build sent beside the commands of its person; what it was for says a digest alone. */
function setAside(kept: StorageValue<Earlier>): StorageValue<Partial<Kept>> {
  const { intents, unsent = {}, ...state } = kept.state;
  if (!intents) return kept;
  const sent = Object.entries(changes(intents, unsent)).map(([name, key]) => [digest(name), key]);
  const at = OPEN_KEY + state.session?.id;
  const isKept = sent.length === 0 || write(at, { ...read<object>(at), ...Object.fromEntries(sent) });
  if (isKept) write(ROOT_KEY, { ...kept, state });
  return { ...kept, state };
}

const readRoot = () => {
  const kept = read<StorageValue<Earlier>>(ROOT_KEY);
  return kept && setAside(kept);
};

/** Who is signed in: a tab that ends or changes a session which another has replaced changes nothing. */
function sessionOf(theirs: Partial<Kept>, was: Partial<Kept>, mine: Kept): Session | null {
  const signsIn = mine.session && mine.session.token !== was.session?.token;
  const replaced = theirs.session?.token !== was.session?.token;
  if (mine.session === was.session || (replaced && !signsIn)) return theirs.session ?? null;
  return mine.session;
}

/** What this tab changed since it last knew what is kept, made to what is kept now. */
function merged(theirs: Partial<Kept>, was: Partial<Kept>, mine: Kept): Kept {
  const session = sessionOf(theirs, was, mine);
  return { ...mine, ...theirs, ...changes(mine, was), session };
}

/**
 * Keeps the state for all tabs: each writes what it changed, so that none takes back what another wrote. `tabNow`
 * answers what this tab knows of it.
 */
export function tabStorage(tabNow: () => { known: Partial<Kept> }): PersistStorage<Kept> {
  return {
    getItem() {
      const kept = readRoot();
      if (kept) tabNow().known = kept.state;
      return (kept as StorageValue<Kept> | undefined) ?? null;
    },
    setItem(_name, { state, version }) {
      const tab = tabNow();
      if (Object.keys(changes(state, tab.known)).length === 0) return;
      const kept = readRoot();
      const next = kept?.version === version ? merged(kept?.state ?? {}, tab.known, state) : state;
      if (write(ROOT_KEY, { state: next, version })) tab.known = state;
      else if (!next.session) {
        // A full device keeps no session of a person who has left.
        place()?.removeItem(ROOT_KEY);
        tab.known = {};
      }
    },
    removeItem: (name) => place()?.removeItem(name),
  };
}

/** The forms that are open are of the person who leaves. */
export function dropDrafts() {
  tried(() => {
    for (const name of Object.keys(place() ?? {})) if (name.startsWith(DRAFT_KEY)) place()?.removeItem(name);
  });
}
