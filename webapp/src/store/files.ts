import { readFile } from "@/api/files";
import { useStore } from "./store";

const KEPT = 64;

async function asAddress(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:${blob.type};base64,${btoa(letters)}`;
}

/**
 * An image of the API as a data: address, which the content policy lets a page show. It is read once: what lies at a
 * file's address never changes.
 */
export function pictureOf(address: string): Promise<string> {
  const read = useStore.getState().pictures;
  const known = read.get(address);
  if (known) return known;
  const picture = readFile(address).then(asAddress);
  // A picture that did not come is asked for again; but not in place of one that somebody else asked for since.
  picture.catch(() => read.get(address) === picture && read.delete(address));
  read.set(address, picture);
  const oldest = read.keys().next().value;
  if (read.size > KEPT && oldest !== undefined) read.delete(oldest);
  return picture;
}
