import { type Bytes, equal, fromHex, fromText, sha256 } from "@/lib/proof/bytes";
import { type DrawProof, type Reveal, type Seat, VERSION } from "./proof";

// What is hashed, as the ledger's package draw has it (ledger/domain/draw): its test and ours read the same vectors.
const ROSTER = fromText("adashi.ng/ajo-roster/v1\n");
const DRAW = fromText(`${VERSION}\n`);
const PHONE = fromText("adashi.ng/ajo-phone/v1\n");
const PHONES = fromText("adashi.ng/ajo-phones/v1\n");

/** Of hex that readProof has looked at. */
export const bytesOf = (hex: string): Bytes => fromHex(hex) ?? new Uint8Array();

const plain = (id: string) => id.replaceAll("-", "").toLowerCase();
const idOf = (id: string) => bytesOf(plain(id));
const byId = (one: { userId: string }, other: { userId: string }) => (plain(one.userId) < plain(other.userId) ? -1 : 1);

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
      new Set(holders.map(({ userId }) => plain(userId))).size === holders.length,
  );
}

/** The digest that seals who holds which seat. */
export function rosterDigest({ ajoId, termsHash, seats }: DrawProof): Promise<Bytes> {
  const parts = [...seats]
    .sort((one, other) => one.seat - other.seat)
    .flatMap(({ seat, holders }) => [
      u16(seat),
      Uint8Array.of(holders.length),
      ...[...holders]
        .sort(byId)
        .flatMap(({ userId, halves, nonce }) => [idOf(userId), Uint8Array.of(halves), bytesOf(nonce)]),
    ]);
  return sha256(ROSTER, idOf(ajoId), bytesOf(termsHash), u16(seats.length), ...parts);
}

export const seedOf = async (digest: Bytes, signature: Bytes) => sha256(DRAW, digest, await sha256(signature));

/** What a phone tells of its secret before the list is sealed. */
export const commitmentOf = (ajoId: string, userId: string, secret: string) =>
  sha256(PHONE, idOf(ajoId), idOf(userId), bytesOf(secret));

/** Whether each secret that was revealed is the one committed to, of everybody once. */
export async function areKept(ajoId: string, reveals: Reveal[]): Promise<boolean> {
  if (new Set(reveals.map(({ userId }) => plain(userId))).size !== reveals.length) return false;
  for (const { userId, commitment, secret } of reveals) {
    const kept = secret && (await commitmentOf(ajoId, userId, secret));
    if (kept && !equal(kept, bytesOf(commitment))) return false;
  }
  return true;
}

export function seedOfPhones(digest: Bytes, reveals: Reveal[]): Promise<Bytes> {
  const parts = [...reveals]
    .sort(byId)
    .flatMap(({ userId, commitment, secret }) => [
      idOf(userId),
      bytesOf(commitment),
      ...(secret ? [Uint8Array.of(1), bytesOf(secret)] : [Uint8Array.of(0)]),
    ]);
  return sha256(PHONES, digest, ...parts);
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
  const gave = new Set(reveals.filter(({ secret }) => secret).map(({ userId }) => plain(userId)));
  const last = new Set(
    seats.filter(({ holders }) => holders.some(({ userId }) => !gave.has(plain(userId)))).map(({ seat }) => seat),
  );
  const order = await orderOf(seed, seats.length);
  return [...order.filter((seat) => !last.has(seat)), ...order.filter((seat) => last.has(seat))];
}

/** Whether the phones of exactly the holders take part. */
export function areOfHolders(seats: Seat[], reveals: Reveal[]): boolean {
  const holders = new Set(seats.flatMap((seat) => seat.holders.map(({ userId }) => plain(userId))));
  return reveals.length === holders.size && reveals.every(({ userId }) => holders.has(plain(userId)));
}
