import * as api from "@/api/account";
import { uploadFile } from "@/api/files";
import type { Account, BvnState, GuardianRequest, UpdateUserInfoRequest, UserSettings } from "@/api/schema.gen";
import { valueIn } from "./source";
import { profileSource } from "./sources";
import type { Slice } from "./store";

/** A member's own details as sent in one request; the e-mail is added. */
export type ProfileChange = Omit<UpdateUserInfoRequest, "email">;

export interface ProfileSlice {
  /** The pictures that were read, by their address: see files.ts. Changed in place, since no component shows it. */
  pictures: Map<string, Promise<string>>;
  refreshProfile: () => Promise<void>;
  /** Answers the server's sentence, as all that follow do. */
  saveProfile: (change: ProfileChange) => Promise<string>;
  saveSettings: (settings: UserSettings) => Promise<string>;
  saveAvatar: (image: File, onProgress?: (part: number) => void) => Promise<string>;
  removeAvatar: () => Promise<string>;
  saveDocument: (kind: api.DocumentKind, file: File, onProgress?: (part: number) => void) => Promise<string>;
  verifyBvn: (bvn: string, account: { number: string; bankCode: string }) => Promise<BvnState>;
  askGuardian: (request: GuardianRequest) => Promise<string>;
}

export const createProfileSlice: Slice<ProfileSlice> = (set, get) => {
  const email = () => get().session?.email ?? "";

  /** The account as it stands now, and with it the name beside the face. */
  const keep = (account: Account) => {
    get().put(profileSource, account);
    set(({ session }) => ({
      session: session && {
        ...session,
        firstName: account.firstName,
        lastName: account.lastName,
        phone: account.phone,
        email: account.email,
      },
    }));
  };

  const change = (part: Partial<Account>) => get().change(profileSource, (account) => ({ ...account, ...part }));

  return {
    pictures: new Map(),
    async refreshProfile() {
      if (get().session) await get().load(profileSource);
    },
    async saveProfile(request) {
      const { value, message } = await api.updateUserInfo({ email: email(), ...request });
      keep(value);
      return message;
    },
    async saveSettings(settings) {
      const { value, message } = await api.updateUserSettings(email(), settings);
      change({ settings: value });
      return message;
    },
    async saveAvatar(image, onProgress) {
      const { value: stored } = await uploadFile(image, "profile", onProgress);
      const { value, message } = await api.changeAvatar(email(), stored.id);
      keep(value);
      return message;
    },
    async removeAvatar() {
      const { value, message } = await api.changeAvatar(email(), "");
      keep(value);
      return message;
    },
    async saveDocument(kind, file, onProgress) {
      const { value: stored } = await uploadFile(file, "document", onProgress);
      const { value, message } = await api.saveDocument(kind, email(), stored.id);
      keep(value);
      return message;
    },
    async verifyBvn(bvn, { number, bankCode }) {
      const named = valueIn(get(), profileSource) ?? get().session;
      const { value } = await api.bvnLookUp({
        account_number: number,
        bank_code: bankCode,
        first_name: named?.firstName ?? "",
        last_name: named?.lastName ?? "",
        bvn,
      });
      change({ bvnStatus: value.status, bvnVerified: value.status === "VERIFIED" });
      void get().refreshProfile();
      return value;
    },
    async askGuardian(request) {
      const { value, message } = await api.askGuardian(request);
      change({ guardian: value });
      return message;
    },
  };
};
