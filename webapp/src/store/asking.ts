import { getCommand } from "@/api/commands";
import { formatNaira } from "@/lib/money";
import { outcomeTexts as t } from "@/lib/texts/outcome";
import { toast } from "@/ui/toaster";
import { setAsideOf, takeBackKey } from "./aside";
import { closeIntent, isOpen } from "./intents";
import { useStore } from "./store";
import { endTry, isSending, sinceTry, wasSentHere } from "./tries";

/** For how long after it was sent a command may still arrive: the server gives a request up sooner. */
const ON_ITS_WAY_MS = 60_000;
/** When an outcome that stays unknown is asked about again. */
const AGAIN_MS = ON_ITS_WAY_MS + 5000;

type Outcome = Awaited<ReturnType<typeof getCommand>>["value"];

/** A payment through the bank or card is started first and paid then: that it was started ends nothing. */
const isStartOnly = (name: string) => name === "fund" || name.endsWith(":rail");

/** Whether the server's answer ends a command; of a key that waits for its person the name is not known. */
function ends({ state, taken }: Outcome, key: string, name?: string): boolean {
  switch (state) {
    case "DONE":
      return name === undefined ? (taken ?? 0) > 0 : !isStartOnly(name);
    case "REFUSED":
    case "PARTLY":
      return true;
    case "UNKNOWN":
      return (sinceTry(key) ?? 0) > ON_ITS_WAY_MS;
    default:
      return false;
  }
}

function tell({ state, taken, refusal }: Outcome) {
  if (state === "DONE") toast.warning(t.wentThroughTitle, t.wentThrough(taken ? formatNaira(taken) : undefined));
  else if (state === "REFUSED") toast.error(t.wasRefused(refusal?.message ?? ""));
  else toast.info(state === "PARTLY" ? t.partly : t.neverCame);
}

/** What is asked about now, and what the person was told of where it was done. */
const asking = new Set<string>();
const told = new Set<string>();

/**
 * Asks about one key; `close` ends it on this device. Answers whether it is known now. What was done while its button
 * may still be on screen keeps its key: another tap there is the same command, and gets its result.
 */
async function ask(session: string, key: string, close: () => void, name?: string): Promise<boolean> {
  if (asking.has(key) || isSending(key)) return false;
  asking.add(key);
  try {
    const { value } = await getCommand(key);
    if (isSending(key) || !ends(value, key, name)) return false;
    if ((value.state === "DONE" || value.state === "PARTLY") && wasSentHere(session, key)) told.add(key);
    else {
      endTry(key, true);
      close();
    }
    tell(value);
    return true;
  } catch {
    return false; // No answer to the question says nothing of the command.
  } finally {
    asking.delete(key);
  }
}

let later: ReturnType<typeof setTimeout> | undefined;

/**
 * Asks what became of everything that the person signed in sent without an answer: what this tab knows of, and what
 * waits for them since an earlier session. Only the server's answer ends it, and the person is told.
 */
export async function askOpen(): Promise<void> {
  const { session, intents, unsent } = useStore.getState();
  if (!session) return;
  const open = Object.entries(intents).filter(([name, key]) => isOpen({ intents, unsent }, name) && !told.has(key));
  const aside = Object.entries(setAsideOf(session.id));
  if (open.length + aside.length === 0) return;
  const known = await Promise.all([
    ...open.map(([name, key]) => ask(session.token, key, () => closeIntent(name, key, session.id), name)),
    ...aside.map(([, key]) => ask(session.token, key, () => takeBackKey(session.id, key))),
  ]);
  if (known.includes(true)) useStore.getState().refreshAll();
  if (!known.includes(false)) return;
  clearTimeout(later);
  later = setTimeout(() => void askOpen(), AGAIN_MS);
}

globalThis.addEventListener?.("online", () => void askOpen());
