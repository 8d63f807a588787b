import { forget } from "./offline";
import { ROOT_KEY, useStore } from "./store";

export const RESTORE_LIMIT_MS = 5000;

/** Brings the kept state back, waiting at most five seconds for it, then has the profile refreshed. */
export async function restore(): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, RESTORE_LIMIT_MS));
  await Promise.race([Promise.resolve(useStore.persist.rehydrate()).catch(() => {}), late]);
  const { session } = useStore.getState();
  forget(session?.id); // An earlier page may have been stopped while it forgot.
  if (session) void useStore.getState().refreshProfile();
}

/** Keeps tabs in step: who is signed in. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== ROOT_KEY && event.key !== null) return;
    void useStore.persist.rehydrate();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
