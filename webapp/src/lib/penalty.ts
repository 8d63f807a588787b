import type { Kobo } from "./money";

export type PenaltyType = "FLAT" | "PERCENT" | "PERCENT_CAPPED";

export interface LateTerms {
  type: PenaltyType;
  /** The penalty (FLAT) or the cap (PERCENT_CAPPED). */
  amount: Kobo;
  /** Hundredths of a percent: 2.5 % is 250. */
  basisPoints: number;
}

/** A whole is 10,000 hundredths of a percent; a half is rounded to the even kobo, as the ledger does. */
function rated(due: Kobo, basisPoints: number): Kobo {
  const product = BigInt(due) * BigInt(basisPoints);
  const whole = product / 10_000n;
  const rest = product % 10_000n;
  const up = rest > 5000n || (rest === 5000n && whole % 2n === 1n);
  return Number(up ? whole + 1n : whole);
}

/** The penalty for one late due. */
export function penaltyOf(due: Kobo, { type, amount, basisPoints }: LateTerms): Kobo {
  switch (type) {
    case "FLAT":
      return amount;
    case "PERCENT":
      return rated(due, basisPoints);
    case "PERCENT_CAPPED":
      return Math.min(amount, rated(due, basisPoints));
  }
}

const PERCENT = /^(\d{1,2})(?:[.](\d{1,2}))?$/;
const MOST = 5000;

/** Reads "2.5" as 250; absent where it is no percentage above 0 and at most 50. */
export function parsePercent(text: string): number | undefined {
  const match = PERCENT.exec(text.replace(/[%\s]/g, ""));
  if (!match) return undefined;
  const basisPoints = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return basisPoints > 0 && basisPoints <= MOST ? basisPoints : undefined;
}
