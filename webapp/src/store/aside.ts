import { digest } from "@/lib/digest";
import { readStored, writeStored } from "./stored";
import { OPEN_KEY } from "./tabs";

/** The keys that wait for a person since an earlier session of theirs, each by a digest of its name. */
export const setAsideOf = (person: string) => readStored<string>(OPEN_KEY + person) as Record<string, string>;

/** Takes a key of a person from those that were set aside for them. */
export function takeBackKey(person: string, key: string) {
  const others = Object.entries(setAsideOf(person)).filter(([, kept]) => kept !== key);
  writeStored(OPEN_KEY + person, Object.fromEntries(others));
}

/** The same by the name of what it was for; `only`: if it is this key. */
export function takeBack(person: string | undefined, name: string, only?: string): string | undefined {
  if (!person) return undefined;
  const { [digest(name)]: key } = setAsideOf(person);
  if (!key || (only && key !== only)) return undefined;
  takeBackKey(person, key);
  return key;
}
