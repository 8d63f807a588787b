export const URL_MAX = 2048;

/** An address to send the browser to, if it is one of the web; anything else is refused. */
export function webAddress(address: string | undefined): string | undefined {
  if (!address || address.length > URL_MAX) return undefined;
  try {
    const url = new URL(address, window.location.origin);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** The same, where it lies within this app: what follows the host. */
export function innerPath(address: string | undefined): string | undefined {
  const whole = webAddress(address);
  if (!whole) return undefined;
  const url = new URL(whole);
  return url.origin === window.location.origin ? url.pathname + url.search + url.hash : undefined;
}
