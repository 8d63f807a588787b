import type { PersistStorage, StorageValue } from "zustand/middleware";
import { digest } from "@/lib/digest";
import type { Session } from "./sessionSlice";

type Keys = Record<string, string>;

/** What a browser keeps for all its tabs. */
export interface Kept {
  session: Session | null;
  sidebarCollapsed: boolean;
  savedFilters: Record<string, unknown[]>;
  invitedTo: string | null;
  signedUpAs: string | null;
  /** Of the person signed in; see IntentSlice. */
  intents: Keys;
  unsent: Keys;
}

/** The one key under which the app keeps its state in the browser. */
export const ROOT_KEY = "adashi";
/** Keys of people who are not signed in here any more, each person's by their id. */
export const OPEN_KEY = "adashi-open:";

function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** None where the browser lets no page keep anything. */
const place = tried(() => globalThis.localStorage);
const read = <T>(key: string) => tried(() => JSON.parse(place?.getItem(key) ?? "") as T);
const write = (key: string, value: unknown) => place?.setItem(key, JSON.stringify(value));

/** The state as the tabs keep it now; another one may have written it, and this one not heard of it yet. */
export const keptNow = () => read<StorageValue<Partial<Kept>>>(ROOT_KEY)?.state;

/** What is not the same in another of its kind. */
const changes = <T extends object>(to: T, from: Partial<T>) =>
  Object.fromEntries(Object.entries(to).filter(([field, value]) => value !== from[field as keyof T])) as Partial<T>;

/** Keeps the keys that something was sent under for when their person comes back; what it was says a digest alone. */
function setAside({ session, intents = {}, unsent = {} }: Partial<Kept>) {
  const sent = Object.entries(changes(intents, unsent)).map(([name, key]) => [digest(name), key]);
  if (!session || sent.length === 0) return;
  const key = OPEN_KEY + session.id;
  write(key, { ...read<Keys>(key), ...Object.fromEntries(sent) });
}

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
  const isOurs = (kept: Partial<Kept>) => kept.session?.id === session?.id;
  for (const kept of [theirs, mine]) if (!isOurs(kept)) setAside(kept);
  const keys = (field: "intents" | "unsent"): Keys => {
    const all: Keys = { ...(isOurs(theirs) && theirs[field]) };
    // Where somebody else signed in, what stayed as it was is of the person before.
    if (!isOurs(mine) || mine[field] === was[field]) return all;
    const before = (isOurs(was) && was[field]) || {};
    for (const name of Object.keys(changes(before, mine[field]))) delete all[name];
    return Object.assign(all, changes(mine[field], before));
  };
  const [intents, unsent] = [keys("intents"), keys("unsent")];
  return { ...mine, ...theirs, ...changes(mine, was), session, intents, unsent };
}

/** What this tab has read or written last. */
let known: Partial<Kept> = {};

const storage: PersistStorage<Kept> = {
  getItem() {
    const kept = read<StorageValue<Kept>>(ROOT_KEY);
    if (kept) known = kept.state;
    return kept ?? null;
  },
  setItem(_name, { state, version }) {
    if (Object.keys(changes(state, known)).length === 0) return;
    const kept = read<StorageValue<Kept>>(ROOT_KEY);
    write(ROOT_KEY, { state: kept?.version === version ? merged(kept?.state ?? {}, known, state) : state, version });
    known = state;
  },
  removeItem: (name) => place?.removeItem(name),
};

/** Keeps the state for all tabs: each writes what it changed, so that none takes back what another wrote. */
export const tabStorage = place && storage;
