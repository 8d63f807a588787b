export interface Named {
  firstName: string;
  lastName: string;
}

export function fullName({ firstName, lastName }: Named): string {
  return `${firstName} ${lastName}`.trim();
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? "?";
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? "") : "";
  return (first + last).toUpperCase();
}

export const FACES = 8;

/** The same person has the same background everywhere: 1 to 8. */
export function avatarColour(id: string): number {
  let hash = 2166136261;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16777619);
  // The low bits of this hash follow the last letter alone: fold the high ones in.
  hash ^= hash >>> 15;
  return ((hash >>> 0) % FACES) + 1;
}
