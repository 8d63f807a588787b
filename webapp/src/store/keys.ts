/** A key for one command: a UUID of version 8, by which the server tells later what became of it. */
export function newKey(): string {
  const id = crypto.randomUUID();
  return `${id.slice(0, 14)}8${id.slice(15)}`;
}
