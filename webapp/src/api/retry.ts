import { bearer } from "./client";
import { asFailure, Failure, isTransient, sinceLost } from "./failure";

const WALLET_WAITS_MS = [1000, 2000, 4000];
/** Between the tries of a write. */
export const WRITE_WAITS_MS = [700, 1500, 3000];

export type Pause = (ms: number) => Promise<void>;
const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats a call, but only in the session of its first try. */
async function insist<T>(attempt: () => Promise<T>, waits: number[], again: (failure: Failure) => boolean): Promise<T> {
  const token = bearer();
  for (const wait of waits) {
    try {
      return await attempt();
    } catch (error) {
      if (!again(asFailure(error))) throw error;
      await pause(wait);
      if (bearer() !== token) throw new Failure({ kind: "ended" });
    }
  }
  return attempt();
}

/** Wallet and balance reads: up to three more tries, after 1, 2 and 4 s, on a 500 or a transient failure alone. */
export function withWalletRetry<T>(attempt: () => Promise<T>): Promise<T> {
  return insist(attempt, WALLET_WAITS_MS, isTransient);
}

/** Writes that carry a key: asked again, quietly, while no answer came or only a broken one, but not past their time. */
export function untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
  let lost = false;
  const next = async () => {
    try {
      return await attempt();
    } catch (error) {
      const failure = lost ? sinceLost(error) : asFailure(error);
      lost = true;
      throw failure;
    }
  };
  return insist(next, WRITE_WAITS_MS, ({ kind, late }) => !late && (kind === "lost" || kind === "broken"));
}
