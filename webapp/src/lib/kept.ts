/** What a device keeps, by person. */
export interface Kept<T> {
  get: (user: string) => Promise<T | undefined>;
  put: (user: string, value: T) => Promise<void>;
  remove: (user: string) => Promise<void>;
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** In a database of the browser's own, where a key can be kept that no script reads. */
export function inBrowser<T>(name: string, store: string): Kept<T> {
  const inStore = async <R>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<R>): Promise<R> => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(store);
    const database = await done(opening);
    try {
      const transaction = database.transaction(store, mode, { durability: "strict" });
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const result = await done(act(transaction.objectStore(store)));
      await ended;
      return result;
    } finally {
      database.close();
    }
  };
  return {
    get: (user) => inStore("readonly", (at) => at.get(user) as IDBRequest<T | undefined>),
    put: (user, value) => inStore("readwrite", (at) => at.put(value, user)).then(() => undefined),
    remove: (user) => inStore("readwrite", (at) => at.delete(user)),
  };
}
