import type { Slice } from "./store";

/** What a person does once. The device keeps this of it from before its first try until its outcome is known. */
export interface Command {
  key: string;
  /** What is done, in one word, as "withdraw": no person, account or amount. */
  name: string;
  /** A digest of what it is about: this due, this round of this day. */
  subject: string;
  /** A digest of its exact payload; none where an earlier build sent it. */
  print?: string;
  /** When it was last sent, by the server's clock in ms since 1970. */
  at: number;
  /** It sets what may be set again: a later word of its person takes its place. */
  free?: boolean;
  /** Its person has begun another one about the same: no tap sends it again. */
  passed?: boolean;
}

/** What a page knows besides, until it is loaded again. */
export interface OpenCommand extends Command {
  /** What was asked for, where this page sent it. */
  asked?: { payload: unknown };
  /** It is on its way now. */
  sending?: boolean;
  /** The server has said that it is done; its button is still on screen, and another tap gets its result. */
  known?: boolean;
  /** The server has said that the payment through the bank or card was started, not whether it was charged. */
  started?: boolean;
  /** No room was found to keep it on the device. */
  unkept?: boolean;
}

/** What is done with it is in commands.ts and asking.ts, which come with the screens that send. */
export interface CommandSlice {
  /** What the person signed in has sent and has no known outcome, by its key. */
  commands: Record<string, OpenCommand>;
  /** The keys about which the server is being asked. Changed in place, since no component shows it. */
  asking: Set<string>;
  /** The timer after which it is asked again. */
  askAgain: ReturnType<typeof setTimeout> | undefined;
}

export const createCommandSlice: Slice<CommandSlice> = () => ({
  commands: {},
  asking: new Set(),
  askAgain: undefined,
});
