import { inTurn } from "./inTurn";

/** What the device keeps of one answer. */
export interface Entry {
  value: unknown;
  /** When it was read, by the server's clock in ms since 1970. */
  at: number;
  /** The ledger's position that it stands for, where that is known. */
  position?: number;
  /** By how many milliseconds the server's clock was ahead of the device's. */
  ahead: number;
}

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

interface Size {
  at: number;
  bytes: number;
}

const NAME = "adashi-offline";
const STORES = ["keys", "entries", "sizes"] as const;
const DAY_MS = 86_400_000;
export const CACHE_LIMITS = { ageMs: 7 * DAY_MS, bytes: 5 * 1024 * 1024 };

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

type Store = (typeof STORES)[number];

/** Acts in one transaction, which is on the disk when this answers. */
async function inStores<R>(mode: IDBTransactionMode, act: (of: (store: Store) => IDBObjectStore) => Promise<R>) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    for (const store of STORES) opening.result.createObjectStore(store);
  };
  const database = await done(opening);
  try {
    const transaction = database.transaction(STORES, mode, { durability: "strict" });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([act((store) => transaction.objectStore(store)), ended]);
    return result;
  } finally {
    database.close();
  }
}

/** One at a time in all tabs: nothing is written between the two steps of forgetting. */
const alone = <T>(act: () => Promise<T>) => inTurn(NAME, act);

const keyOf = (user: string) => inStores("readonly", (of) => done<CryptoKey | undefined>(of("keys").get(user)));

/** No script can read this key out of the browser. */
async function newKey(user: string): Promise<CryptoKey> {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await inStores("readwrite", (of) => done(of("keys").put(key, user)));
  return key;
}

const nameOf = (user: string, name: string) => `${user} ${name}`;
const aboutOf = (user: string, name: string) => new TextEncoder().encode(nameOf(user, name));

/** Drops what is too old, and the oldest where all together is too much. */
async function trim(of: (store: Store) => IDBObjectStore, now: number) {
  const [names, sizes] = await Promise.all([done(of("sizes").getAllKeys()), done<Size[]>(of("sizes").getAll())]);
  const rows = sizes.map((size, at) => ({ ...size, name: names[at] as string })).sort((a, b) => b.at - a.at);
  let total = 0;
  for (const { name, at, bytes } of rows) {
    total += bytes;
    if (total <= CACHE_LIMITS.bytes && now - at <= CACHE_LIMITS.ageMs) continue;
    of("entries").delete(name);
    of("sizes").delete(name);
  }
}

/** Keeps an entry of a user, as long as `isCurrent` says that they are the one signed in. */
export function writeCache(user: string, name: string, entry: Entry, isCurrent: () => boolean): Promise<void> {
  return alone(async () => {
    if (!isCurrent()) return;
    const key = (await keyOf(user)) ?? (await newKey(user));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify(entry));
    const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: aboutOf(user, name) }, key, text);
    await inStores("readwrite", async (of) => {
      of("entries").put({ iv, data } satisfies Sealed, nameOf(user, name));
      of("sizes").put({ at: entry.at, bytes: data.byteLength } satisfies Size, nameOf(user, name));
      await trim(of, entry.at);
    });
  });
}

/** An entry of a user that is young enough. What cannot be opened is not there. */
export async function readCache(user: string, name: string, now: number): Promise<Entry | undefined> {
  const [key, sealed] = await inStores("readonly", (of) =>
    Promise.all([
      done<CryptoKey | undefined>(of("keys").get(user)),
      done<Sealed | undefined>(of("entries").get(nameOf(user, name))),
    ]),
  );
  if (!key || !sealed) return undefined;
  const { iv, data } = sealed;
  const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: aboutOf(user, name) }, key, data);
  const entry = JSON.parse(new TextDecoder().decode(text)) as Entry;
  return now + entry.ahead - entry.at > CACHE_LIMITS.ageMs ? undefined : entry;
}

/** Forgets all but what belongs to one user. The keys go first: a stop half way leaves only noise. */
export function forgetOthers(user: string | undefined): Promise<void> {
  return alone(async () => {
    const others = (names: IDBValidKey[]) => names.filter((name) => String(name).split(" ", 1)[0] !== user);
    const drop = (store: Store) =>
      inStores("readwrite", async (of) => {
        for (const name of others(await done(of(store).getAllKeys()))) of(store).delete(name);
      });
    await drop("keys");
    await drop("entries");
    await drop("sizes");
  });
}
