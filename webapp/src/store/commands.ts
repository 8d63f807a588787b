import { digest } from "@/lib/digest";
import { place as device } from "@/lib/place";
import { present } from "@/lib/present";
import type { Command, OpenCommand } from "./commandSlice";
import { useStore } from "./store";
import { DRAFT_KEY, OPEN_KEY } from "./tabs";

/** One item for each command, so that no tab takes back what another wrote: by its person's id, then its key. */
const COMMAND_KEY = "adashi-command:";

const nameOf = (person: string, key: string) => `${COMMAND_KEY}${person}:${key}`;
const draftPlace = (person: string, subject: string) => `${DRAFT_KEY}${person}:${subject}`;

function parsed<T>(text: string | null | undefined): T | undefined {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Answers whether it is kept: a full device keeps what it had. */
function write(name: string, value: unknown): boolean {
  try {
    device()?.setItem(name, JSON.stringify(value));
    return device() !== undefined;
  } catch {
    return false;
  }
}

/** Whether the browser lets pages keep something at all. */
export const hasDevice = () => device() !== undefined;

/** A key for one command: a UUID of version 8, by which the server tells later what became of it. */
export function newKey(): string {
  const id = crypto.randomUUID();
  return `${id.slice(0, 14)}8${id.slice(15)}`;
}

/** What a payment through the bank or card is called on the device. */
export const RAIL = "rail";

/** The first word of a name says what is done; the rest says of whom and of what, and stays in the page. */
const wordOf = (name: string) => (name === "fund" || name.endsWith(`:${RAIL}`) ? RAIL : (name.split(":", 1)[0] ?? ""));

/** Equal payloads of two commands have two prints. */
export const printOf = (key: string, payload: unknown) => digest(`${key} ${JSON.stringify(payload) ?? ""}`);

const personNow = () => useStore.getState().session?.id ?? "";

/** The keys that an earlier build kept for a person, each by the digest of its name. */
function takeOver(person: string) {
  const earlier = parsed<Record<string, string>>(device()?.getItem(OPEN_KEY + person)) ?? {};
  for (const [subject, key] of Object.entries(earlier)) {
    const command: Command = { key, name: "", subject, at: 0 };
    if (!write(nameOf(person, key), command)) return;
  }
  device()?.removeItem(OPEN_KEY + person);
}

function keptOf(person: string): Record<string, Command> {
  const kept: Record<string, Command> = {};
  for (const name of Object.keys(device() ?? {})) {
    if (!name.startsWith(nameOf(person, ""))) continue;
    const command = parsed<Command>(device()?.getItem(name));
    if (command) kept[command.key] = command;
  }
  return kept;
}

/** Takes in what the device keeps for the person signed in: another tab may have begun or ended a command. */
export function readCommands(): OpenCommand[] {
  const person = personNow();
  takeOver(person);
  const kept = keptOf(person);
  const mine = useStore.getState().commands;
  const commands: Record<string, OpenCommand> = {};
  for (const [key, one] of Object.entries(mine)) if (one.unkept || one.sending) commands[key] = one;
  for (const [key, one] of Object.entries(kept)) commands[key] = { ...mine[key], ...one };
  if (JSON.stringify(commands) !== JSON.stringify(mine)) useStore.setState({ commands });
  return Object.values(commands);
}

/** The command about a subject that another tap continues, if one has no known outcome. */
export const openAbout = (commands: OpenCommand[], name: string) =>
  commands.find(({ subject, passed }) => subject === digest(name) && !passed);

/** The key under which a form will send: made when it opens, and one for all tabs in which it is open. */
export function draftKey(name: string): string {
  const person = personNow();
  const open = openAbout(readCommands(), name);
  if (open) return open.key;
  const at = draftPlace(person, digest(name));
  const key = parsed<string>(device()?.getItem(at)) ?? newKey();
  write(at, key);
  return key;
}

/** The key of a draft that is about to be sent. It is a draft no more. */
export function takeDraft(name: string): string {
  const key = draftKey(name);
  device()?.removeItem(draftPlace(personNow(), digest(name)));
  return key;
}

/** Keeps a command, for the person who gave it. Answers whether the device keeps it, too. */
function put(person: string, command: OpenCommand): boolean {
  const { asked: _a, sending: _s, known: _k, started: _t, unkept: _u, ...kept } = command;
  const isKept = write(nameOf(person, command.key), kept);
  const unkept = !isKept && !(command.key in keptOf(person));
  if (personNow() === person) {
    useStore.setState(({ commands }) => ({ commands: { ...commands, [command.key]: { ...command, unkept } } }));
  }
  return !unkept;
}

/** Something is sent now. Answers whether the device keeps its key. */
export function begin(person: string, name: string, key: string, payload: unknown, free: boolean): boolean {
  return put(person, {
    key,
    name: wordOf(name),
    subject: digest(name),
    print: printOf(key, payload),
    at: present().getTime(),
    ...(free ? { free } : {}),
    ...(payload === undefined ? {} : { asked: { payload } }),
    sending: true,
  });
}

/** Changes what is known of a command, if it is still open and its person still signed in. */
export function note(person: string, key: string, now: Partial<OpenCommand>) {
  const command = useStore.getState().commands[key];
  if (command && personNow() === person) put(person, { ...command, ...now });
}

/** The person who gave it knows its outcome. */
export function end(person: string, key: string) {
  device()?.removeItem(nameOf(person, key));
  if (personNow() !== person) return;
  useStore.setState(({ commands: { [key]: _ended, ...commands } }) => ({ commands }));
}

globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === null || key.startsWith(COMMAND_KEY)) readCommands();
});
