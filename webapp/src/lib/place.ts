/** Marks a tab in which somebody said that the phone is shared. */
const SHARED = "adashi-shared";

function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** Whether the person in this tab said that others use the phone: nothing of theirs outlives the tab. */
export const isShared = () => tried(() => sessionStorage.getItem(SHARED)) === "yes";

/** Notes that others use the phone. */
export const beginShared = () => tried(() => sessionStorage.setItem(SHARED, "yes"));

/** Forgets all that a shared phone's tab kept. */
export const endShared = () => isShared() && tried(() => sessionStorage.clear());

/** Where the app keeps what it keeps: for all tabs, or for a shared phone's tab alone. None where a page may keep nothing. */
export const place = (): Storage | undefined =>
  tried(() => (isShared() ? globalThis.sessionStorage : globalThis.localStorage)) ?? undefined;
