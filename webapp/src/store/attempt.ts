import type { Answer } from "@/api/client";
import { report, succeed } from "./report";
import { reportMoney } from "./reportMoney";

/**
 * Does it, and says how it went in a toast; answers what came of it, or undefined. `pays`: it moves money. `onRefused`
 * reads again what is there, which may not be what the person saw.
 */
export async function attempt<T>(
  deed: Promise<Answer<T>>,
  pays = false,
  onRefused?: () => void,
): Promise<{ value: T } | undefined> {
  try {
    const { value, message } = await deed;
    succeed(message);
    return { value };
  } catch (error) {
    if (pays) reportMoney(error);
    else report(error);
    onRefused?.();
    return undefined;
  }
}
