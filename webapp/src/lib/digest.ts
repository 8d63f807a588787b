const FIRST = 0x811c9dc5;
const PRIME = 0x01000193;

/** A short digest of a text (FNV-1a), to find it again without keeping its words. It is no secret and proves nothing. */
export function digest(text: string): string {
  let hash = FIRST;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), PRIME);
  return (hash >>> 0).toString(36);
}
