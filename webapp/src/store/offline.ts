import type { Entry } from "@/lib/cache";
import { host } from "@/lib/host";
import { isShared } from "@/lib/place";
import { present } from "@/lib/present";
import type { AsOf, Page, Source } from "./source";

/** It comes after the first screen, which does not wait for it. */
const cache = () => import("@/lib/cache");

/** A browser may leave a question about its database without an answer. */
const READ_LIMIT_MS = 2000;

/**
 * What no device keeps, by the name of its field: what identifies a person to a bank, how to reach somebody, and codes
 * that let somebody in.
 */
const NEVER =
  /bvn|phone|email|bank|account_?(number|name)|guardian|birth|address|salar|card(id|details)|document|invitationLink|groupLink|avatar|url|code$|token|secret/i;

/** A value without the fields that no device keeps. */
export function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([field]) => !NEVER.test(field));
  return Object.fromEntries(kept.map(([field, inner]) => [field, without(inner)]));
}

/** A list on the device has one page, and ends there. */
function shortened<T>({ rows, kept }: Source<T>, pages: Page<T>[]): unknown {
  const first = pages[0]?.value;
  if (!rows || typeof kept !== "number") return first;
  const all = pages.flatMap(({ value }) => value[rows] as unknown[]);
  return { ...first, [rows]: all.slice(0, kept), next: undefined };
}

/** Keeps an answer on the device, where its source may be kept there. A device that cannot keep it goes without. */
export function keepAnswer<T>(user: string, source: Source<T>, pages: Page<T>[], isCurrent: () => boolean) {
  if (!source.kept || user === "" || isShared() || pages.length === 0) return;
  const entry: Entry = {
    value: without(shortened(source, pages)),
    at: present().getTime(),
    position: pages[0]?.position,
    ahead: host().ahead(),
  };
  cache()
    .then(({ writeCache }) => writeCache(user, source.key, entry, isCurrent))
    .catch(() => {});
}

/** The answer that the device keeps, and of when it is. */
export async function keptAnswer<T>(user: string, source: Source<T>) {
  if (!source.kept || user === "" || isShared()) return undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, READ_LIMIT_MS));
  const reading = cache()
    .then(({ readCache }) => readCache(user, source.key, Date.now()))
    .catch(() => undefined);
  const entry = await Promise.race([reading, late]);
  if (!entry) return undefined;
  // The clock of this page may be wrong, and nothing has told it so yet.
  if (host().ahead() === 0) host().onAhead(entry.ahead);
  const asOf: AsOf = { at: entry.at, position: entry.position };
  return { value: entry.value as T, asOf };
}

/** Forgets what the device keeps of everybody else: of all, where nobody is signed in. */
export function forget(user: string | undefined) {
  cache()
    .then(({ forgetOthers }) => forgetOthers(isShared() ? undefined : user))
    .catch(() => {});
}
