import { digest } from "@/lib/digest";
import { useStore } from "@/store/store";

/** The device keeps a command of the person signed in that has no known outcome: of an earlier page, or another tab. */
export function keepsOpen(name: string, key: string) {
  const person = useStore.getState().session?.id ?? "";
  const command = { key, name, subject: digest(name), at: Date.now() };
  localStorage.setItem(`adashi-command:${person}:${key}`, JSON.stringify(command));
}

/** The keys of the commands that the device keeps for somebody. */
export const keysKept = (person: string) =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(`adashi-command:${person}:`))
    .map((name) => name.slice(`adashi-command:${person}:`.length));
