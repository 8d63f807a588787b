import { avatarColour, FACES, initials } from "./person";

/** How many patterns an emblem may have. */
export const PATTERNS = 4;

export interface Look {
  /** 1 to 8. */
  colour: number;
  /** 0 to 3. */
  pattern: number;
}

/** The same group or ajo looks the same everywhere. */
export function emblemOf(id: string): Look {
  return { colour: avatarColour(id), pattern: avatarColour(`${id}:pattern`) % PATTERNS };
}

/**
 * The looks of a list, in its order. Each is the one of its id, but for those that would have the colour of the one
 * before them: these take the next colour that differs from the one after them too.
 */
export function emblemsOf(ids: string[]): Look[] {
  const looks = ids.map(emblemOf);
  for (let at = 1; at < looks.length; at++) {
    const look = looks[at];
    const near = [looks[at - 1]?.colour, looks[at + 1]?.colour];
    if (!look || look.colour !== near[0]) continue;
    while (near.includes(look.colour)) look.colour = (look.colour % FACES) + 1;
  }
  return looks;
}

/** The two letters of a name: of its first and last word, or the first two of its only one. */
export function emblemLetters(name: string): string {
  const letters = initials(name);
  return letters.length > 1 ? letters : name.trim().slice(0, 2).toUpperCase() || "?";
}
