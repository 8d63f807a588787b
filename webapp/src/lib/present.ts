/** By how many milliseconds the server's clock is ahead of this device's. */
let ahead = 0;

/** The server's time, which deadlines are counted by: a device's clock may be minutes or days off. */
export const present = () => new Date(Date.now() + ahead);

/**
 * Takes in the Date header of an answer, which has whole seconds, to a request that was sent at a time of this device's
 * clock. As long as both clocks may agree, nothing moves.
 */
export function hearTime(date: string | null, sentAt: number) {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const least = told - Date.now();
  const most = told + 999 - sentAt;
  ahead = Math.min(Math.max(ahead, least), Math.max(least, most));
}

/** Goes by the device's clock again. */
export function forgetTime() {
  ahead = 0;
}
