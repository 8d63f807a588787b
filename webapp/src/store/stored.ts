/** What the browser keeps under a name for all tabs; nothing where it lets no page keep anything. */
export function readStored<T>(name: string): Partial<Record<string, T>> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Record<string, T>>;
  } catch {
    return {};
  }
}

/** Keeps it; a full or closed storage keeps what it had. */
export function writeStored(name: string, values: object) {
  try {
    if (Object.keys(values).length > 0) localStorage.setItem(name, JSON.stringify(values));
    else localStorage.removeItem(name);
  } catch {
    // The page works on without it.
  }
}
