/** So many random bytes of this device, as hex. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID. */
export function randomId(): string {
  const hex = randomHex(16);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    "-",
  );
}
