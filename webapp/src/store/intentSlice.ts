import type { Slice } from "./store";

export interface IntentSlice {
  intents: Record<string, string>;
  /** The idempotency key of one thing the person is about to do; the same until it is answered, in every tab. */
  openIntent: (name: string) => string;
  closeIntent: (name: string, key: string) => void;
}

export const createIntentSlice: Slice<IntentSlice> = (set, get) => ({
  intents: {},
  openIntent(name) {
    const known = get().intents[name];
    if (known) return known;
    const key = crypto.randomUUID();
    set((state) => ({ intents: { ...state.intents, [name]: key } }));
    return key;
  },
  closeIntent(name, key) {
    set((state) => {
      if (state.intents[name] !== key) return state;
      const { [name]: _answered, ...others } = state.intents;
      return { intents: others };
    });
  },
});
