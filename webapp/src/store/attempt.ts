import type { Answer } from "@/api/client";
import { report, succeed } from "./report";

/** Does it, and says how it went in a toast; answers what came of it, or undefined. */
export async function attempt<T>(deed: Promise<Answer<T>>): Promise<{ value: T } | undefined> {
  try {
    const { value, message } = await deed;
    succeed(message);
    return { value };
  } catch (error) {
    report(error);
    return undefined;
  }
}
