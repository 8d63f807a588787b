import * as lookups from "@/api/lookups";
import type { Bank, Faq, LookupValue } from "@/api/types";
import { readInto } from "./read";
import { idle, type Remote } from "./remote";
import type { Slice } from "./store";

/** Lists that are the same for everybody. */
export interface LookupSlice {
  genders: Remote<LookupValue[]>;
  states: Remote<LookupValue[]>;
  banks: Remote<Bank[]>;
  faqs: Remote<Faq[]>;
  loadGenders: () => Promise<void>;
  loadStates: () => Promise<void>;
  loadBanks: () => Promise<void>;
  loadFaqs: () => Promise<void>;
}

export const createLookupSlice: Slice<LookupSlice> = (set, get) => ({
  genders: idle,
  states: idle,
  banks: idle,
  faqs: idle,
  loadGenders: () =>
    readInto({
      key: "genders",
      get: () => get().genders,
      put: (genders) => set({ genders }),
      read: lookups.getGenders,
    }),
  loadStates: () =>
    readInto({ key: "states", get: () => get().states, put: (states) => set({ states }), read: lookups.getStates }),
  loadBanks: () =>
    readInto({ key: "banks", get: () => get().banks, put: (banks) => set({ banks }), read: lookups.getBanks }),
  loadFaqs: () => readInto({ key: "faqs", get: () => get().faqs, put: (faqs) => set({ faqs }), read: lookups.getFaqs }),
});
