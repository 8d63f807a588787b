import type { Answer } from "@/api/client";
import { asFailure } from "@/api/failure";
import { report, succeed } from "./report";
import { reportMoney } from "./reportMoney";

/**
 * Does it, and says how it went in a toast; answers what came of it, or undefined. `pays`: it moves money. `onConflict`
 * reads again what is there, where that is not what the person saw.
 */
export async function attempt<T>(
  deed: Promise<Answer<T>>,
  pays = false,
  onConflict?: () => void,
): Promise<{ value: T } | undefined> {
  try {
    const { value, message } = await deed;
    succeed(message);
    return { value };
  } catch (error) {
    if (pays) reportMoney(error);
    else report(error);
    if (asFailure(error).status === 409) onConflict?.();
    return undefined;
  }
}
