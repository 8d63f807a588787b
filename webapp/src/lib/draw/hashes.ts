import { type Bytes, equal, fromHex, fromText, sha256 } from "@/lib/proof/bytes";
import type { DrawProof, Named, Reveal, Seat, Version } from "./proof";

// What is hashed, as the ledger's package draw has it (ledger/domain/draw): its test and ours read the same vectors.
const domain = (kind: "roster" | "draw" | "phone" | "phones", version: Version) => {
  const number = version.slice(-2);
  return fromText(`adashi.ng/ajo-${kind}/${number === "v3" && kind !== "phones" ? "v2" : number}\n`);
};

/** Of hex that readProof has looked at. */
export const bytesOf = (hex: string): Bytes => fromHex(hex) ?? new Uint8Array();

const plain = (id: string) => id.replaceAll("-", "").toLowerCase();
const idOf = (id: string) => bytesOf(plain(id));
/** The 16 bytes that name a holder, in hex. */
const nameOf = ({ userId, pseudonym }: Named) => plain(pseudonym ?? userId ?? "");
const byName = (one: Named, other: Named) => (nameOf(one) < nameOf(other) ? -1 : 1);

const u16 = (value: number) => Uint8Array.of(value >> 8, value & 255);

function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Whether the seats are 1 to n and each is held wholly, by one person or by two. */
export function isWhole(seats: Seat[]): boolean {
  const numbers = new Set(seats.map(({ seat }) => seat));
  return seats.every(
    ({ seat, holders }) =>
      seat <= seats.length &&
      numbers.size === seats.length &&
      holders.reduce((sum, { halves }) => sum + halves, 0) === 2 &&
      new Set(holders.map(nameOf)).size === holders.length,
  );
}

const bySeat = (seats: Seat[]) => [...seats].sort((one, other) => one.seat - other.seat);

/** The digest that seals who holds which seat. */
export function rosterDigest({ version, ajoId, termsHash, seats }: DrawProof): Promise<Bytes> {
  const parts = bySeat(seats).flatMap(({ seat, holders }) => [
    u16(seat),
    Uint8Array.of(holders.length),
    ...[...holders]
      .sort(byName)
      .flatMap((holder) => [bytesOf(nameOf(holder)), Uint8Array.of(holder.halves), bytesOf(holder.nonce)]),
  ]);
  return sha256(domain("roster", version), idOf(ajoId), bytesOf(termsHash), u16(seats.length), ...parts);
}

export const seedOf = async (version: Version, digest: Bytes, signature: Bytes) =>
  sha256(domain("draw", version), digest, await sha256(signature));

/** What a phone tells of its secret before the list is sealed, of the nonce that it joins with. */
export const commitmentOf = (ajoId: string, nonce: string, secret: string) =>
  sha256(domain("phone", "adashi.ng/ajo-draw/v2"), idOf(ajoId), bytesOf(nonce), bytesOf(secret));

/** The same in version 1, of the user's id. */
export const earlierCommitmentOf = (ajoId: string, userId: string, secret: string) =>
  sha256(domain("phone", "adashi.ng/ajo-draw/v1"), idOf(ajoId), idOf(userId), bytesOf(secret));

/** The nonce of a holder's first seat. */
const nonceOf = (seats: Seat[], name: string) =>
  bySeat(seats)
    .flatMap(({ holders }) => holders)
    .find((holder) => nameOf(holder) === name)?.nonce ?? "";

/** Whether each secret that was revealed is the one committed to, of everybody once. */
export async function areKept({ version, ajoId, seats }: DrawProof, reveals: Reveal[]): Promise<boolean> {
  if (new Set(reveals.map(nameOf)).size !== reveals.length) return false;
  for (const reveal of reveals) {
    const { commitment, secret } = reveal;
    if (!secret) continue;
    const made =
      version === "adashi.ng/ajo-draw/v1"
        ? await earlierCommitmentOf(ajoId, nameOf(reveal), secret)
        : await commitmentOf(ajoId, nonceOf(seats, nameOf(reveal)), secret);
    if (!equal(made, bytesOf(commitment))) return false;
  }
  return true;
}

/** The seed of what phones revealed. In version 3 the signature of the round that came after them is in it. */
export async function seedOfPhones(
  version: Version,
  digest: Bytes,
  reveals: Reveal[],
  signature: Bytes,
): Promise<Bytes> {
  const parts = [...reveals]
    .sort(byName)
    .flatMap((reveal) => [
      bytesOf(nameOf(reveal)),
      bytesOf(reveal.commitment),
      ...(reveal.secret ? [Uint8Array.of(1), bytesOf(reveal.secret)] : [Uint8Array.of(0)]),
    ]);
  const round = version === "adashi.ng/ajo-draw/v3" ? [await sha256(signature)] : [];
  return sha256(domain("phones", version), digest, ...round, ...parts);
}

const WORDS_A_BLOCK = 4;

/** The numbers that follow from a seed: 64 bits each. */
function wordsOf(seed: Bytes): () => Promise<bigint> {
  let read = 0;
  let block = new DataView(new ArrayBuffer(32));
  return async () => {
    const at = read % WORDS_A_BLOCK;
    if (at === 0) block = new DataView((await sha256(seed, u32(read / WORDS_A_BLOCK))).buffer);
    read++;
    return block.getBigUint64(at * 8);
  };
}

/** Numbers below another that follow from a seed, each as likely as the other. */
function below(seed: Bytes): (among: number) => Promise<number> {
  const next = wordsOf(seed);
  return async (number) => {
    const among = BigInt(number);
    const fair = 2n ** 64n - (2n ** 64n % among);
    let word = await next();
    while (word >= fair) word = await next();
    return Number(word % among);
  };
}

/** Of the numbers 0 to of − 1 the n that a seed chooses, in order: the first n of a Fisher–Yates shuffle. */
export async function chosenOf(seed: Bytes, of: number, n: number): Promise<number[]> {
  const next = below(seed);
  const all = Array.from({ length: of }, (_, at) => at);
  const chosen = Math.min(of, n);
  for (let at = 0; at < chosen; at++) {
    const other = at + (await next(of - at));
    [all[at], all[other]] = [all[other] as number, all[at] as number];
  }
  return all.slice(0, chosen).sort((one, other) => one - other);
}

/** The seats 1 to n in the order that a seed comes to: the Fisher–Yates shuffle. */
export async function orderOf(seed: Bytes, n: number): Promise<number[]> {
  const next = below(seed);
  const order = Array.from({ length: n }, (_, at) => at + 1);
  for (let at = n - 1; at > 0; at--) {
    const other = await next(at + 1);
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
  return order;
}

/** The same where phones draw: the seats of which a holder withheld the secret go last. */
export async function orderOfPhones(seed: Bytes, seats: Seat[], reveals: Reveal[]): Promise<number[]> {
  const gave = new Set(reveals.filter(({ secret }) => secret).map(nameOf));
  const last = new Set(
    seats.filter(({ holders }) => holders.some((holder) => !gave.has(nameOf(holder)))).map(({ seat }) => seat),
  );
  const order = await orderOf(seed, seats.length);
  return [...order.filter((seat) => !last.has(seat)), ...order.filter((seat) => last.has(seat))];
}

/** Whether the phones of exactly the holders take part. */
export function areOfHolders(seats: Seat[], reveals: Reveal[]): boolean {
  const holders = new Set(seats.flatMap((seat) => seat.holders.map(nameOf)));
  return reveals.length === holders.size && reveals.every((reveal) => holders.has(nameOf(reveal)));
}
