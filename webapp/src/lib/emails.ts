export const EMAIL_MAX = 320;

/** Whether it looks like an address; whether anybody reads it only a letter tells. */
export const isEmail = (text: string) => text.length <= EMAIL_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** The addresses in a text, however they are parted; each once, whatever its case. */
export function emailsIn(text: string): string[] {
  const found = text
    .split(/[\s,;]+/)
    .map((part) => part.replace(/^<|>$/g, ""))
    .filter(Boolean);
  return [...new Map(found.map((address) => [address.toLowerCase(), address])).values()];
}
