/** What this device keeps of one person's watching. The private key never leaves the browser. */
export interface Watching {
  pair: CryptoKeyPair;
  /** Hex. */
  publicKey: string;
  /** The last checkpoint that it signed, or is about to. */
  last?: string;
  /** That was kept by the ledger, and when, in ms. */
  signed?: { size: number; at: number };
  /** What the ledger showed that does not continue the last. Nothing is signed any more. */
  alarm?: Evidence;
}

/** What shows to anybody that two histories were signed, or what was offered in place of a proof. */
export interface Evidence {
  device: string;
  before: string;
  shown: string;
  proof: string[];
  statements: string[];
  at: string;
}

/** Where a device keeps it, by person. */
export interface Kept {
  get: (user: string) => Promise<Watching | undefined>;
  put: (user: string, watching: Watching) => Promise<void>;
  remove: (user: string) => Promise<void>;
}

const STORE = "watching";

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open("adashi-witness", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await done(opening);
  try {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await done(act(transaction.objectStore(STORE)));
    await ended;
    return result;
  } finally {
    database.close();
  }
}

/** In the browser's own database, where a key can be kept that no script reads. */
export const inBrowser: Kept = {
  get: (user) => inStore("readonly", (store) => store.get(user) as IDBRequest<Watching | undefined>),
  put: (user, watching) => inStore("readwrite", (store) => store.put(watching, user)).then(() => undefined),
  remove: (user) => inStore("readwrite", (store) => store.delete(user)),
};
