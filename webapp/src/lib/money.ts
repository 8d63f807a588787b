/** Amounts are naira with two decimals on the wire and whole kobo in here. */
export type Kobo = number;

/** More than any wallet may hold; what lies above it was mistyped. */
const LARGEST_KOBO: Kobo = 100_000_000_000_00;

export function toKobo(naira: number): Kobo {
  return Math.round(naira * 100);
}

export function toNaira(kobo: Kobo): number {
  return kobo / 100;
}

export function sumKobo(naira: number[]): Kobo {
  return naira.reduce((sum, amount) => sum + toKobo(amount), 0);
}

export interface NairaParts {
  negative: boolean;
  whole: string;
  fraction: string;
}

export function nairaParts(kobo: Kobo): NairaParts {
  const size = Math.abs(kobo);
  const whole = Math.floor(size / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
  return { negative: kobo < 0, whole, fraction: (size % 100).toString().padStart(2, "0") };
}

/** "₦5,177.67" */
export function formatKobo(kobo: Kobo): string {
  const { negative, whole, fraction } = nairaParts(kobo);
  return `${negative ? "−" : ""}₦${whole}.${fraction}`;
}

export function formatNaira(naira: number): string {
  return formatKobo(toKobo(naira));
}

const STEPS = [
  ["t", 1e12],
  ["b", 1e9],
  ["m", 1e6],
  ["k", 1e3],
] as const;

/** "₦5k", "₦1.2m", "₦999b": for a chart, where the exact figures stand beside it. Never more than three digits. */
export function briefNaira(naira: number): string {
  if (naira === 0) return "–";
  for (const [letter, size] of STEPS) {
    const many = naira / size;
    // What would round up to a thousand of the step below is one of this.
    if (many >= 0.9995) return `₦${many < 99.95 ? Math.round(many * 10) / 10 : Math.round(many)}${letter}`;
  }
  return `₦${Math.round(naira)}`;
}

export type AmountFault = "empty" | "form" | "zero" | "large";
export type ParsedAmount = { kobo: Kobo } | { fault: AmountFault };

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\s\d{3})+|\d+)(?:\.(\d{0,2}))?$/;

/** Reads what a person types: "5000", "5,000.50", "₦ 5 000". A space may stand between thousands alone. */
export function parseAmount(text: string): ParsedAmount {
  const typed = text.trim().replace(/^₦\s*/, "");
  if (typed === "") return { fault: "empty" };
  const match = AMOUNT.exec(typed);
  if (!match?.[1]) return { fault: "form" };
  const whole = match[1].replace(/[,\s]/g, "").replace(/^0+(?=\d)/, "");
  if (whole.length > 12) return { fault: "large" };
  const kobo = Number(whole) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  if (kobo === 0) return { fault: "zero" };
  return kobo > LARGEST_KOBO ? { fault: "large" } : { kobo };
}

/** The text of an amount field after editing: "5,000.50". */
export function amountText(kobo: Kobo): string {
  const { whole, fraction } = nairaParts(kobo);
  return `${whole}.${fraction}`;
}
