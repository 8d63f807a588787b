import * as account from "@/api/account";
import type { Login, RegisterRequest, VerifiedEmail } from "@/api/schema.gen";
import { beginShared, endShared } from "@/lib/place";
import { errorTexts } from "@/lib/texts/errors";
import { toast } from "@/ui/toaster";
import type { Slice } from "./store";
import { dropDrafts } from "./tabs";

/** The session that the browser keeps: exactly the answer to a login. */
export type Session = Login;

/** `password`, `email`, `closed`: the account was changed so that all its sessions ended; login says so. */
export type Ending = "logout" | "expiry" | "password" | "email" | "closed";

export interface SessionSlice {
  session: Session | null;
  authenticated: boolean;
  /** The newest ledger position that the session has caused or heard of: reads wait for it. */
  position: number;
  /** How the last session ended: only after an expiry does login lead back to where one was. */
  ended: Ending | null;
  /** The address somebody signed up with in this browser and has not logged in with yet. */
  signedUpAs: string | null;
  /** `shared`: others use the phone, and nothing of this session outlives its tab. */
  login: (email: string, password: string, code?: string, shared?: boolean) => Promise<string>;
  signup: (request: RegisterRequest) => Promise<string>;
  /** Verifies an address and logs its owner in; `in` is false where the person must still log in by hand. */
  verifyEmail: (token: string, password: string) => Promise<{ message: string; verified: VerifiedEmail; in: boolean }>;
  logout: () => Promise<void>;
  expire: () => void;
  /** The server has ended this session already. */
  leave: (why: Ending) => void;
}

export const createSessionSlice: Slice<SessionSlice> = (set, get) => {
  const end = (ended: Ending) => {
    dropDrafts();
    get().begin({ ended });
    set({ sidebarCollapsed: false, savedFilters: {} }); // Logout clears all that the browser keeps of the state.
    endShared();
  };
  return {
    session: null,
    authenticated: false,
    position: 0,
    ended: null,
    signedUpAs: null,
    async login(email, password, code, shared = false) {
      const { value, message } = await account.getToken(email, password, code);
      if (shared) beginShared();
      get().begin({ session: value, authenticated: true });
      void get().refreshProfile();
      return message;
    },
    async signup(request) {
      const { message } = await account.register(request);
      set({ signedUpAs: request.email });
      return message;
    },
    async verifyEmail(token, password) {
      const { value, message } = await account.verifyEmail(token, password);
      const { email } = value;
      set({ signedUpAs: email });
      // The person who is logged in here stays logged in.
      if (get().authenticated) return { message, verified: value, in: false };
      const entered = await get()
        .login(email, password)
        .then(
          () => true,
          () => false,
        );
      return { message, verified: value, in: entered };
    },
    async logout() {
      const token = get().session?.token;
      end("logout");
      if (token) await account.logout(token).catch(() => {});
    },
    expire() {
      if (!get().session) return;
      end("expiry");
      toast.error(errorTexts.sessionExpired);
    },
    leave: end,
  };
};
