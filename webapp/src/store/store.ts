import { create, type StateCreator } from "zustand";
import { persist } from "zustand/middleware";
import { setHost } from "@/lib/host";
import { toast } from "@/ui/toaster";
import { type CommandSlice, createCommandSlice } from "./commandSlice";
import { createDeviceSlice, type DeviceSlice } from "./deviceSlice";
import { createNotificationSlice, type NotificationSlice } from "./notificationSlice";
import { forget } from "./offline";
import { createProfileSlice, type ProfileSlice } from "./profileSlice";
import { createReadSlice, type ReadSlice } from "./readSlice";
import { createSavingsSlice, type SavingsSlice } from "./savingsSlice";
import { createSessionSlice, type Session, type SessionSlice } from "./sessionSlice";
import { createShellSlice, type ShellSlice } from "./shellSlice";
import { createStepUpSlice, type StepUpSlice } from "./stepUpSlice";
import { type Kept, ROOT_KEY, tabStorage } from "./tabs";
import { createWalletSlice, type WalletSlice } from "./walletSlice";

export { ROOT_KEY };

interface Beginning {
  /** Begins another session, or none: of the one before, nothing but what its device keeps is left. */
  begin: (next: Partial<SessionSlice>) => void;
}

export type State = Beginning &
  DeviceSlice &
  SessionSlice &
  ProfileSlice &
  ReadSlice &
  StepUpSlice &
  WalletSlice &
  SavingsSlice &
  NotificationSlice &
  ShellSlice &
  CommandSlice;
export type Slice<T> = StateCreator<State, [], [], T>;

const VERSION = 1;

/** All that belongs to one session. */
const sessionSlices: Slice<Omit<State, keyof (Beginning & DeviceSlice)>> = (...store) => ({
  ...createSessionSlice(...store),
  ...createProfileSlice(...store),
  ...createReadSlice(...store),
  ...createStepUpSlice(...store),
  ...createWalletSlice(...store),
  ...createSavingsSlice(...store),
  ...createNotificationSlice(...store),
  ...createShellSlice(...store),
  ...createCommandSlice(...store),
});

export const useStore = create<State>()(
  persist(
    (...store) => ({
      ...createDeviceSlice(...store),
      ...sessionSlices(...store),
      begin: (next) => store[0]({ ...afresh(next.session), ...next }),
    }),
    {
      name: ROOT_KEY,
      version: VERSION,
      storage: tabStorage(tabNow),
      skipHydration: true,
      partialize: ({ session, sidebarCollapsed, figuresHidden, savedFilters, signedUpAs }): Kept => ({
        session,
        sidebarCollapsed,
        figuresHidden,
        savedFilters,
        signedUpAs,
      }),
      merge: takeOver,
      // An older form is not carried over: its session ends and the person logs in again.
      migrate: () => ({}) as Kept,
    },
  ),
);

function tabNow(): State["tab"] {
  return useStore.getState().tab;
}

/** The state in which a session begins. Calls off what waits for the session before. */
function afresh(session?: Session | null): Partial<State> {
  forget(session?.id);
  if (session) toast.clear(); // What was said to the person before.
  const { askAgain, stepUpWaiting } = useStore.getState();
  clearTimeout(askAgain);
  for (const tell of stepUpWaiting) tell(false);
  const made = sessionSlices(useStore.setState, useStore.getState, useStore);
  // Actions hold nothing, and stay the same for those who use them.
  return Object.fromEntries(Object.entries(made).filter(([, value]) => typeof value !== "function"));
}

/** The state with what the browser keeps. */
function takeOver(kept: unknown, now: State): State {
  if (!kept) return now;
  const { session = null } = kept as Partial<Kept>;
  // What this tab knows of the person before is not for whom another tab signed in, nor for nobody.
  const other = session?.token !== now.session?.token && {
    ...afresh(session),
    ended: session ? null : ("logout" as const),
  };
  return { ...now, ...other, ...(kept as Partial<Kept>), authenticated: Boolean(session?.token) };
}

setHost({
  token: () => useStore.getState().session?.token,
  position: () => useStore.getState().position,
  onPosition: (position) => useStore.setState({ position }),
  onExpired: () => useStore.getState().expire(),
  onStepUp: () => useStore.getState().askStepUp(),
  ahead: () => useStore.getState().ahead,
  onAhead: (ahead) => useStore.setState({ ahead }),
  onReached: (reached) => {
    if (reached !== useStore.getState().reached) useStore.setState({ reached });
  },
});
