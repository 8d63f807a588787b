/** One at a time by its name, in all windows of this browser: a later one never acts on what an earlier one read. */
export const inTurn = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  globalThis.navigator?.locks ? (navigator.locks.request(name, act) as Promise<T>) : act();
