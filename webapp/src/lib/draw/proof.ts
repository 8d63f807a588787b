/**
 * The ways of drawing that this app can check. The first names holders by their user ids. The third is the second, where
 * phones draw together with a public round.
 */
export const VERSIONS = ["adashi.ng/ajo-draw/v1", "adashi.ng/ajo-draw/v2", "adashi.ng/ajo-draw/v3"] as const;

export type Version = (typeof VERSIONS)[number];

/** Who a holder is: in version 1 the id of a user, since then a pseudonym of one ajo, 16 bytes in hex. */
export interface Named {
  userId?: string;
  pseudonym?: string;
}

export interface Holder extends Named {
  /** 2 is the whole seat. */
  halves: number;
  /** Hex: 16 random bytes of the holder's phone. */
  nonce: string;
}

export interface Seat {
  seat: number;
  holders: Holder[];
}

/** What a member's phone committed to before the list was sealed, and revealed after; hex. */
export interface Reveal extends Named {
  commitment: string;
  secret?: string | null;
}

/** A chain of drand. Times in seconds, keys and hashes in hex. */
export interface Beacon {
  name: string;
  chainHash: string;
  publicKey: string;
  genesis: number;
  period: number;
  test: boolean;
}

/** All that it takes to draw again, by anybody. */
export interface DrawProof {
  version: Version;
  ajoId: string;
  name: string;
  termsHash: string;
  closedAt: string;
  drawAt: string;
  seats: Seat[];
  rosterDigest: string;
  source: "BEACON" | "PHONES";
  beacon?: Beacon | null;
  round?: number | null;
  signature?: string | null;
  reveals?: Reveal[] | null;
  /** order[c - 1] is the seat that collects in cycle c. */
  order: number[];
}

const SEATS_MAX = 65_535;

type Fields = Record<string, unknown>;
type Is = (value: unknown) => boolean;

const isHex =
  (bytes: number): Is =>
  (value) =>
    typeof value === "string" && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value);
const isId: Is = (value) =>
  typeof value === "string" && /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(value.toLowerCase());
const isText: Is = (value) => typeof value === "string";
const isTime: Is = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isCount: Is = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const isAbsent: Is = (value) => value === undefined || value === null;
const oneOf =
  (...values: unknown[]): Is =>
  (value) =>
    values.includes(value);
const listOf =
  (each: Is, min = 1): Is =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= SEATS_MAX && value.every(each);
const fields =
  (each: Record<string, Is>): Is =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(each).every(([name, is]) => is((value as Fields)[name]));

const isNamed: Record<Version, Record<string, Is>> = {
  "adashi.ng/ajo-draw/v1": { userId: isId, pseudonym: isAbsent },
  "adashi.ng/ajo-draw/v2": { userId: isAbsent, pseudonym: isHex(16) },
  "adashi.ng/ajo-draw/v3": { userId: isAbsent, pseudonym: isHex(16) },
};
const isHolder = (version: Version) => fields({ ...isNamed[version], halves: oneOf(1, 2), nonce: isHex(16) });
const isReveal = (version: Version) =>
  fields({
    ...isNamed[version],
    commitment: isHex(32),
    secret: (value) => isAbsent(value) || isHex(32)(value),
  });
const isBeacon = fields({
  name: isText,
  chainHash: isHex(32),
  publicKey: isHex(96),
  genesis: isCount,
  period: isCount,
  test: oneOf(true, false),
});
const isDraw = fields({
  version: oneOf(...VERSIONS),
  ajoId: isId,
  name: isText,
  termsHash: isHex(32),
  closedAt: isTime,
  drawAt: isTime,
  rosterDigest: isHex(32),
  source: oneOf("BEACON", "PHONES"),
  order: listOf(isCount),
});
const isOfBeacon = fields({ beacon: isBeacon, round: isCount, signature: isHex(48) });

/** The proof that a JSON value is; undefined when something in it is missing or is not what it must be. */
export function readProof(value: unknown): DrawProof | undefined {
  if (!isDraw(value)) return undefined;
  const proof = value as DrawProof;
  const isListed = fields({ seats: listOf(fields({ seat: isCount, holders: listOf(isHolder(proof.version)) })) });
  const [byPhones, third] = [proof.source === "PHONES", proof.version === "adashi.ng/ajo-draw/v3"];
  if (third && !byPhones) return undefined;
  const isRevealed = !byPhones || fields({ reveals: listOf(isReveal(proof.version)) })(value);
  const isRound = (byPhones && !third) || isOfBeacon(value);
  return isListed(value) && isRevealed && isRound ? proof : undefined;
}
