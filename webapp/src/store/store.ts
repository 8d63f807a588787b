import { create, type StateCreator } from "zustand";
import { persist } from "zustand/middleware";
import { setCaller } from "@/api/client";
import { createIntentSlice, type IntentSlice } from "./intentSlice";
import { createNotificationSlice, type NotificationSlice } from "./notificationSlice";
import { createProfileSlice, type ProfileSlice } from "./profileSlice";
import { createReadSlice, type ReadSlice } from "./readSlice";
import { createSavingsSlice, type SavingsSlice } from "./savingsSlice";
import { createSessionSlice, type SessionSlice } from "./sessionSlice";
import { createShellSlice, type ShellSlice } from "./shellSlice";
import { createStepUpSlice, type StepUpSlice } from "./stepUpSlice";
import { createWalletSlice, type WalletSlice } from "./walletSlice";

export type State = SessionSlice &
  ProfileSlice &
  ReadSlice &
  StepUpSlice &
  WalletSlice &
  SavingsSlice &
  NotificationSlice &
  ShellSlice &
  IntentSlice;
export type Slice<T> = StateCreator<State, [["zustand/persist", unknown]], [], T>;

/** The one key under which the app keeps its state in the browser. */
export const ROOT_KEY = "adashi";
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
      ...createIntentSlice(...store),
    }),
    {
      name: ROOT_KEY,
      version: VERSION,
      skipHydration: true,
      partialize: ({ session, sidebarCollapsed, savedFilters, invitedTo, signedUpAs, intents }) => ({
        session,
        sidebarCollapsed,
        savedFilters,
        invitedTo,
        signedUpAs,
        intents,
      }),
      merge: (kept, fresh) => {
        const state = { ...fresh, ...(kept as Partial<State>) };
        return { ...state, authenticated: Boolean(state.session?.token) };
      },
      // An older form is not carried over: its session ends and the person logs in again.
      migrate: () => ({}),
    },
  ),
);

setCaller({
  token: () => useStore.getState().session?.token,
  onExpired: () => useStore.getState().expire(),
  onStepUp: () => useStore.getState().askStepUp(),
});
