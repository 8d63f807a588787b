import { getCommand } from "@/api/commands";
import { formatNaira } from "@/lib/money";
import { present } from "@/lib/present";
import { outcomeTexts as t } from "@/lib/texts/outcome";
import { toast } from "@/ui/toaster";
import type { OpenCommand } from "./commandSlice";
import { end, note, RAIL, readCommands } from "./commands";
import { useStore } from "./store";

/** For how long after it was sent a command may still arrive: the server gives a request up sooner. */
const ON_ITS_WAY_MS = 60_000;
/** When an outcome that stays unknown is asked about again. */
const AGAIN_MS = ON_ITS_WAY_MS + 5000;

type Outcome = Awaited<ReturnType<typeof getCommand>>["value"];

/** A payment through the bank or card is started first and paid then: that it was started ends nothing. */
const isStartOnly = ({ name }: OpenCommand) => name === RAIL;

/** Whether the server's answer ends a command; what an earlier build sent may have been a start alone. */
function ends({ state, taken }: Outcome, command: OpenCommand): boolean {
  switch (state) {
    case "DONE":
      return command.name === "" ? (taken ?? 0) > 0 : !isStartOnly(command);
    case "REFUSED":
    case "PARTLY":
      return true;
    case "UNKNOWN":
      return present().getTime() - command.at > ON_ITS_WAY_MS;
    default:
      return false;
  }
}

function tell({ state, taken, refusal }: Outcome) {
  if (state === "DONE") toast.warning(t.wentThroughTitle, t.wentThrough(taken ? formatNaira(taken) : undefined));
  else if (state === "REFUSED") toast.error(t.wasRefused(refusal?.message ?? ""));
  else toast.info(state === "PARTLY" ? t.partly : t.neverCame);
}

const now = (key: string) => useStore.getState().commands[key];

/** Takes in the outcome of a command that is still open. Answers whether it is known now. */
function settle(person: string, { key }: OpenCommand, outcome: Outcome): boolean {
  const command = now(key);
  if (!command || command.sending) return false;
  if (!ends(outcome, command)) {
    if (outcome.state === "DONE") note(person, key, { started: true });
    return false;
  }
  // What was done while its button may still be on screen keeps its key: another tap there gets its result.
  const mayBeTapped = !command.passed && Boolean(command.asked);
  const again = outcome.state === "PARTLY" || (outcome.state === "DONE" && !command.free);
  if (mayBeTapped && again) note(person, key, { known: true });
  else end(person, key);
  if (!(command.free && command.passed)) tell(outcome);
  return true;
}

/** Asks about one command. Answers whether its outcome is known now. */
export async function ask(command: OpenCommand): Promise<boolean> {
  const { session, asking } = useStore.getState();
  if (!session || asking.has(command.key) || now(command.key)?.sending) return false;
  asking.add(command.key);
  try {
    return settle(session.id, command, (await getCommand(command.key)).value);
  } catch {
    return false; // No answer to the question says nothing of the command.
  } finally {
    asking.delete(command.key);
  }
}

/**
 * Asks what became of everything that the person signed in sent without an answer, in this session or an earlier one.
 * Only the server's answer ends it, and the person is told.
 */
export async function askOpen(): Promise<void> {
  const open = readCommands().filter(({ known, sending }) => !known && !sending);
  if (open.length === 0) return;
  const outcomes = await Promise.all(open.map(ask));
  if (outcomes.includes(true)) useStore.getState().refreshAll();
  if (!outcomes.includes(false)) return;
  clearTimeout(useStore.getState().askAgain);
  useStore.setState({ askAgain: setTimeout(() => void askOpen(), AGAIN_MS) });
}

/** The app asks by itself when the device is online again, and when the page comes back to the front. */
for (const event of ["online", "focus", "pageshow"]) globalThis.addEventListener?.(event, () => void askOpen());
useStore.subscribe((now, before) => now.reached && !before.reached && void askOpen());
