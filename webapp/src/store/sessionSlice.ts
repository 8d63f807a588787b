import * as account from "@/api/account";
import { forgetPosition } from "@/api/client";
import type { Account, Login, RegisterRequest } from "@/api/types";
import { errorTexts } from "@/lib/texts/errors";
import { toast } from "@/ui/toaster";
import { dropReadings, readInto } from "./read";
import { idle, type Remote } from "./remote";
import type { Slice, State } from "./store";

/** What is kept in the browser of the one signed in: exactly what login answers. */
export type Session = Login;

export interface SessionSlice {
  session: Session | null;
  authenticated: boolean;
  /** How the last session ended: only after an expiry does login lead back to where one was. */
  ended: "logout" | "expiry" | null;
  /** The invitation a person without an account came for; login leads there. */
  invitedTo: string | null;
  profile: Remote<Account>;
  login: (email: string, password: string) => Promise<string>;
  signup: (request: RegisterRequest) => Promise<string>;
  verifyEmail: (token: string) => Promise<string>;
  refreshProfile: () => Promise<void>;
  rememberInvitation: (path: string | null) => void;
  logout: () => Promise<void>;
  expire: () => void;
}

export const createSessionSlice: Slice<SessionSlice> = (set, get, store) => ({
  session: null,
  authenticated: false,
  ended: null,
  invitedTo: null,
  profile: idle,
  async login(email, password) {
    const { value, message } = await account.getToken(email, password);
    dropReadings();
    forgetPosition();
    set({ session: value, authenticated: true, ended: null });
    void get().refreshProfile();
    return message;
  },
  async signup(request) {
    return (await account.register(request)).message;
  },
  async verifyEmail(token) {
    return (await account.verifyEmail(token)).message;
  },
  async refreshProfile() {
    const id = get().session?.id;
    if (!id) return;
    await readInto({
      key: "profile",
      get: () => get().profile,
      put: (profile) => set({ profile }),
      read: () => account.getProfile(id),
    });
  },
  rememberInvitation(invitedTo) {
    set({ invitedTo });
  },
  async logout() {
    const token = get().session?.token;
    wipe(store, "logout");
    if (token) await account.logout(token).catch(() => {});
  },
  expire() {
    if (!get().session) return;
    wipe(store, "expiry");
    toast.error(errorTexts.sessionExpired);
  },
});

interface Whole {
  getState: () => State;
  getInitialState: () => State;
  setState: (next: Partial<State>) => void;
}

/** Forgets all that belongs to a person; how they like their sidebar stays. */
export function wipe({ getState, getInitialState, setState }: Whole, ended: SessionSlice["ended"]) {
  dropReadings();
  forgetPosition();
  setState({ ...getInitialState(), sidebarCollapsed: getState().sidebarCollapsed, ended });
}
