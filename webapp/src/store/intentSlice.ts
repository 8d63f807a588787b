import type { Slice } from "./store";

/** What is done with it lies in intents.ts, which comes with the screens that write. */
export interface IntentSlice {
  /** The idempotency keys of what the person signed in is about to do, or has tried without an answer, by its name. */
  intents: Record<string, string>;
  /** Those of them that nothing was sent under yet. */
  unsent: Record<string, string>;
  /** What was asked for under a key that has no answer yet. The browser does not keep it. */
  asked: Record<string, { payload: unknown }>;
}

export const createIntentSlice: Slice<IntentSlice> = () => ({ intents: {}, unsent: {}, asked: {} });
