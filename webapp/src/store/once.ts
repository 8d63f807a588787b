import { asFailure, sinceLost } from "@/api/failure";
import { beginIntent, closeIntent, openIntent } from "./intents";
import { useStore } from "./store";

interface Try {
  /** A key that was made before, when the form was opened. */
  key?: string;
  /** What is asked for, where it may be asked for again. */
  payload?: unknown;
}

/**
 * Sends a deed under one key: the same name has the same key, in every tab and after a reload, until it is known how it
 * went. So a name says all of what is done, and doing it again after a broken connection does it once. Once a try had
 * no answer, only an answer about that very try ends it.
 */
export async function once<T>(name: string, send: (key: string) => Promise<T>, { key, payload }: Try = {}): Promise<T> {
  const person = useStore.getState().session?.id;
  const used = key ?? openIntent(name);
  const earlier = beginIntent(name, used, payload);
  try {
    const answer = await send(used);
    closeIntent(name, used, person);
    return answer;
  } catch (error) {
    const failure = earlier ? sinceLost(error) : asFailure(error);
    if (failure.certain) closeIntent(name, used, person);
    throw failure;
  }
}
