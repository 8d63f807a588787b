import { create, type StateCreator } from "zustand";
import { persist } from "zustand/middleware";
import { setCaller } from "@/api/client";
import { type CommandSlice, createCommandSlice } from "./commandSlice";
import { createNotificationSlice, type NotificationSlice } from "./notificationSlice";
import { createProfileSlice, type ProfileSlice } from "./profileSlice";
import { createReadSlice, type ReadSlice } from "./readSlice";
import { createSavingsSlice, type SavingsSlice } from "./savingsSlice";
import { createSessionSlice, type SessionSlice } from "./sessionSlice";
import { createShellSlice, type ShellSlice } from "./shellSlice";
import { createStepUpSlice, type StepUpSlice } from "./stepUpSlice";
import { type Kept, ROOT_KEY, tabStorage } from "./tabs";
import { createWalletSlice, type WalletSlice } from "./walletSlice";

export { ROOT_KEY };

export type State = SessionSlice &
  ProfileSlice &
  ReadSlice &
  StepUpSlice &
  WalletSlice &
  SavingsSlice &
  NotificationSlice &
  ShellSlice &
  CommandSlice;
export type Slice<T> = StateCreator<State, [["zustand/persist", unknown]], [], T>;

const VERSION = 1;

export const useStore = create<State>()(
  persist(
    (...store) => ({
      ...createSessionSlice(...store),
      ...createProfileSlice(...store),
      ...createReadSlice(...store),
      ...createStepUpSlice(...store),
      ...createWalletSlice(...store),
      ...createSavingsSlice(...store),
      ...createNotificationSlice(...store),
      ...createShellSlice(...store),
      ...createCommandSlice(...store),
    }),
    {
      name: ROOT_KEY,
      version: VERSION,
      storage: tabStorage,
      skipHydration: true,
      partialize: ({ session, sidebarCollapsed, savedFilters, invitedTo, signedUpAs }): Kept => ({
        session,
        sidebarCollapsed,
        savedFilters,
        invitedTo,
        signedUpAs,
      }),
      merge: takeOver,
      // An older form is not carried over: its session ends and the person logs in again.
      migrate: () => ({}) as Kept,
    },
  ),
);

/** The state with what the browser keeps. */
function takeOver(kept: unknown, fresh: State): State {
  if (!kept) return fresh;
  const { session = null } = kept as Partial<Kept>;
  const isSame = session?.token === fresh.session?.token;
  // What this tab knows of the person before is not for whom another tab signed in, nor for nobody.
  const base: State = isSame ? fresh : { ...useStore.getInitialState(), ended: session ? null : "logout" };
  return { ...base, ...(kept as Partial<Kept>), authenticated: Boolean(session?.token) };
}

setCaller({
  token: () => useStore.getState().session?.token,
  onExpired: () => useStore.getState().expire(),
  onStepUp: () => useStore.getState().askStepUp(),
});
