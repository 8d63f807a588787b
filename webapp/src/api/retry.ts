import { asFailure, isTransient } from "./failure";

const WALLET_WAITS_MS = [1000, 2000, 4000];
const WRITE_WAITS_MS = [700, 1500, 3000];

export type Pause = (ms: number) => Promise<void>;
const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function insist<T>(attempt: () => Promise<T>, waits: number[], again: (error: unknown) => boolean): Promise<T> {
  for (const wait of waits) {
    try {
      return await attempt();
    } catch (error) {
      if (!again(error)) throw error;
      await pause(wait);
    }
  }
  return attempt();
}

/** Wallet and balance reads: up to three more tries, after 1, 2 and 4 s, on a 500 or a transient failure alone. */
export function withWalletRetry<T>(attempt: () => Promise<T>): Promise<T> {
  return insist(attempt, WALLET_WAITS_MS, (error) => isTransient(asFailure(error)));
}

/** Writes that carry a key: asked again, quietly, while no certain answer came. */
export function untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
  return insist(attempt, WRITE_WAITS_MS, (error) => !asFailure(error).certain);
}
