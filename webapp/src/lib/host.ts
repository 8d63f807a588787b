/** What `api` and `lib` ask of the store, which they do not import: it injects itself when it is made. */
export interface Host {
  /** The token of the present session. */
  token: () => string | undefined;
  /** The newest ledger position that the present session has caused or heard of. */
  position: () => number;
  onPosition: (position: number) => void;
  onExpired: () => void;
  /** Asks the person to show again who they are; answers whether they did. */
  onStepUp: () => Promise<boolean>;
  /** By how many milliseconds the server's clock is ahead of this device's. */
  ahead: () => number;
  onAhead: (ahead: number) => void;
  /** The server has answered, or something else did in its place. */
  onReached: (reached: boolean) => void;
}

const none: Host = {
  token: () => undefined,
  position: () => 0,
  onPosition: () => {},
  onExpired: () => {},
  onStepUp: async () => false,
  ahead: () => 0,
  onAhead: () => {},
  onReached: () => {},
};

/** The only variable of a module in src: all else that changes is in the store. */
let current = none;

export const host = () => current;

export function setHost(next: Host) {
  current = next;
}
