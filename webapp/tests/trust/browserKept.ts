/** A browser's own databases, as far as what is kept on a device needs them: jsdom has none. */
export function browserKept() {
  const databases = new Map<string, Map<string, unknown>>();
  const request = <T>(result: () => T) => {
    const made: { result?: T; onsuccess?: () => void; onupgradeneeded?: () => void } = {};
    queueMicrotask(() => {
      made.result = result();
      made.onupgradeneeded?.();
      made.onsuccess?.();
    });
    return made;
  };
  const open = (name: string) =>
    request(() => {
      if (!databases.has(name)) databases.set(name, new Map());
      const kept = databases.get(name) as Map<string, unknown>;
      const store = {
        get: (key: string) => request(() => kept.get(key)),
        put: (value: unknown, key: string) => request(() => void kept.set(key, value)),
        delete: (key: string) => request(() => void kept.delete(key)),
      };
      return {
        createObjectStore: () => store,
        close: () => {},
        transaction: () => {
          const transaction: { oncomplete?: () => void; objectStore: () => typeof store } = {
            objectStore: () => store,
          };
          setTimeout(() => transaction.oncomplete?.());
          return transaction;
        },
      };
    });
  globalThis.indexedDB = { open } as unknown as IDBFactory;
  return databases;
}
