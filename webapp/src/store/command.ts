import { asFailure, Failure, sinceLost } from "@/api/failure";
import { present } from "@/lib/present";
import { outcomeTexts as t } from "@/lib/texts/outcome";
import { ask, askOpen } from "./asking";
import type { OpenCommand } from "./commandSlice";
import { begin, end, hasDevice, note, openAbout, printOf, readCommands, takeDraft } from "./commands";
import { useStore } from "./store";

export interface Wanted {
  /** Names what it is about, and nothing that changes while the person taps: this due, this round of this day. */
  name: string;
  /** The name of what pays the same in another way. */
  beside?: string;
  /** All else that the server is told. */
  payload?: unknown;
  /** It sets what may be set again, and moves no money: a later word takes the place of one without an answer. */
  free?: boolean;
  /** The key that its form made when it opened. */
  key?: string;
}

/** For how long a free command that had no answer is tried again as the same one. */
const AGAIN_MS = 10 * 60_000;

const isSame = ({ key, print }: OpenCommand, payload: unknown) =>
  print === undefined || print === printOf(key, payload);

/** What has no answer yet is asked about first, and the person looks at what it came to: nothing else is sent. */
async function askFirst(open: OpenCommand): Promise<Failure> {
  const told = await ask(open);
  if (told) useStore.getState().refreshAll();
  return new Failure({ kind: "doubtful", message: t.askedFirst, cancelled: told });
}

/** What has no known outcome and is asked about before this may be sent: the same in another way, or with other details. */
function inTheWay(commands: OpenCommand[], { name, beside, payload, free }: Wanted): OpenCommand | undefined {
  const other = beside === undefined ? undefined : openAbout(commands, beside);
  if (other && !other.known) return other;
  const open = openAbout(commands, name);
  return open && !open.known && !free && !isSame(open, payload) ? open : undefined;
}

/** The open command that a tap continues: the very same. One that it does not continue serves no tap any more. */
function continued(commands: OpenCommand[], person: string, { name, payload, free }: Wanted): OpenCommand | undefined {
  const open = openAbout(commands, name);
  if (!open) return undefined;
  const old = free && present().getTime() - open.at > AGAIN_MS;
  if (isSame(open, payload) && !old) return open;
  if (open.known) end(person, open.key);
  else note(person, open.key, { passed: true });
  return undefined;
}

/** What was said before is no answer to a tap that comes after a later word. */
function passFree(person: string) {
  for (const { key, free, sending } of readCommands()) {
    if (free && !sending) note(person, key, { passed: true });
  }
}

/**
 * Sends a command under one key: the same in every tab and after a reload, until its outcome is known. So doing it
 * again after a broken connection does it once. Once a try had no answer, only an answer about that very try ends it:
 * its own, or the server's when it is asked what became of it. Until then nothing else about the same is sent.
 */
export async function sendCommand<T>(wanted: Wanted, send: (key: string) => Promise<T>): Promise<T> {
  const { name, payload, free = false } = wanted;
  const person = useStore.getState().session?.id ?? "";
  const commands = readCommands();
  const first = inTheWay(commands, wanted);
  if (first) throw await askFirst(first);
  const open = continued(commands, person, wanted);
  const draft = takeDraft(name);
  const key = open?.key ?? wanted.key ?? draft;
  const isKept = begin(person, name, key, payload, free);
  if (!isKept && !open && !free && hasDevice()) {
    end(person, key);
    throw new Failure({ kind: "refused", message: t.noRoom });
  }
  try {
    const answer = await send(key);
    end(person, key);
    if (free) passFree(person);
    return answer;
  } catch (error) {
    const failure = open ? sinceLost(error) : asFailure(error);
    note(person, key, { sending: false, at: present().getTime() }); // The last of its tries was sent just now.
    if (failure.certain) end(person, key);
    else if (!failure.expired) void askOpen();
    throw failure;
  }
}
