import { host } from "./host";

/** The server's time, which deadlines are counted by: a device's clock may be minutes or days off. */
export const present = () => new Date(Date.now() + host().ahead());

/**
 * Takes in the Date header of an answer, which has whole seconds, to a request that was sent at a time of this device's
 * clock. As long as both clocks may agree, nothing moves.
 */
export function hearTime(date: string | null, sentAt: number) {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const least = told - Date.now();
  const most = told + 999 - sentAt;
  const ahead = host().ahead();
  const next = Math.min(Math.max(ahead, least), Math.max(least, most));
  if (next !== ahead) host().onAhead(next);
}
