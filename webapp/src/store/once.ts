import { asFailure } from "@/api/failure";
import { useStore } from "./store";

/**
 * Sends a deed under one key: the same name has the same key, in every tab, until the server has answered for
 * certain. So a name says all of what is done, and doing it again after a broken connection does it once.
 */
export async function once<T>(name: string, send: (key: string) => Promise<T>): Promise<T> {
  const { openIntent, closeIntent } = useStore.getState();
  const key = openIntent(name);
  try {
    const answer = await send(key);
    closeIntent(name, key);
    return answer;
  } catch (error) {
    if (asFailure(error).certain) closeIntent(name, key);
    throw error;
  }
}
