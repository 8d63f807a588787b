import type { AjoTerms, CreateAjo } from "@/api/ajos";
import type { Ajo, AjoPast } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";
import { formatKobo, parseAmount, toKobo, toNaira } from "@/lib/money";
import { monthName } from "@/lib/months";
import { amountFaults } from "@/lib/texts/money";
import { createTexts } from "../texts";

const { faults } = createTexts;
const LEAST_KOBO = 500_00;
const MOST_KOBO = 5_000_000_00;

export interface AjoDraft {
  name: string;
  description: string;
  amount: string;
  seats: string;
  frequency: NonNullable<AjoTerms["frequency"]>;
  /** Such as 2026-12. */
  start: string;
  dueDay: string;
  order: NonNullable<AjoTerms["order"]>;
  draw: NonNullable<AjoTerms["draw"]>;
  deposit: "0" | "1" | "2";
  listed: boolean;
  hands: "1" | "0.5";
  /** How many cycles are over already. */
  past: string;
  /** The seat that collected each of them. */
  collected: string[];
}

export const emptyDraft = (): AjoDraft => ({
  name: "",
  description: "",
  amount: "",
  seats: "5",
  frequency: "MONTHLY",
  start: startMonths()[1]?.value ?? "",
  dueDay: "1",
  order: "RANDOM",
  draw: "BEACON",
  deposit: "0",
  listed: false,
  hands: "1",
  past: "0",
  collected: [],
});

/** An ajo's terms and past, to be changed. */
export function draftOf(ajo: Ajo, months = startMonths()): AjoDraft {
  const start = `${ajo.year}-${String(ajo.startMonthId).padStart(2, "0")}`;
  return {
    ...emptyDraft(),
    amount: formatKobo(toKobo(ajo.amount)).replace("₦", ""),
    seats: String(ajo.duration),
    frequency: ajo.frequency,
    start: months.some(({ value }) => value === start) ? start : (months[0]?.value ?? ""),
    dueDay: String(ajo.dueDay),
    order: ajo.order,
    draw: ajo.draw,
    deposit: String(ajo.deposit) as AjoDraft["deposit"],
    listed: ajo.listed,
    past: String(ajo.past.length),
    collected: ajo.past.map(({ seat }) => String(seat)),
  };
}

/** This month and the eleven after it. */
export function startMonths(today = lagosDay()): { value: string; name: string }[] {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  return Array.from({ length: 12 }, (_, at) => {
    const m = ((month - 1 + at) % 12) + 1;
    const y = year + Math.floor((month - 1 + at) / 12);
    return { value: `${y}-${String(m).padStart(2, "0")}`, name: `${monthName(m)} ${y}` };
  });
}

const whole = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

export function amountFits(text: string): true | string {
  const parsed = parseAmount(text);
  if ("fault" in parsed) return amountFaults[parsed.fault];
  if (parsed.kobo < LEAST_KOBO || parsed.kobo > MOST_KOBO) return faults.amount;
  return parsed.kobo % 2 === 0 || faults.even(formatKobo(parsed.kobo));
}

export const seatsFit = (text: string) => (whole(text) >= 2 && whole(text) <= 50) || faults.seats;

export const dueDayFits = (text: string) => (whole(text) >= 1 && whole(text) <= 31) || faults.dueDay;

export const pastFits = (text: string, { seats }: AjoDraft) => whole(text) < Number(seats) || faults.past;

/** The seats that paid a cycle: all. */
const paidBy = (seats: number) => Array.from({ length: seats }, (_, at) => at + 1);

export function pastOf({ past, collected, seats }: AjoDraft): AjoPast[] {
  return Array.from({ length: Number(past) || 0 }, (_, at) => ({
    cycle: at + 1,
    seat: Number(collected[at] ?? at + 1),
    paid: paidBy(Number(seats)),
  }));
}

export const collectedFits = (draft: AjoDraft): true | string => {
  const seats = pastOf(draft).map(({ seat }) => seat);
  return new Set(seats).size === seats.length || faults.twice;
};

export function termsOf(draft: AjoDraft): AjoTerms {
  const parsed = parseAmount(draft.amount);
  const [year = 0, month = 0] = draft.start.split("-").map(Number);
  const seats = Number(draft.seats);
  return {
    amount: "kobo" in parsed ? toNaira(parsed.kobo) : 0,
    duration: seats,
    memberCapacity: seats,
    startMonthId: month,
    year,
    frequency: draft.frequency,
    order: draft.order,
    // Where nothing is drawn, nobody's phone has to commit to anything.
    draw: draft.order === "JOIN_ORDER" ? "BEACON" : draft.draw,
    deposit: Number(draft.deposit),
    dueDay: Number(draft.dueDay),
    listed: draft.listed,
  };
}

export function requestOf(draft: AjoDraft, nonce: string, email: string): CreateAjo {
  const { memberCapacity: _seats, ...terms } = termsOf(draft);
  const past = pastOf(draft);
  return {
    ...terms,
    memberCapacity: terms.duration,
    name: draft.name.trim(),
    description: draft.description.trim(),
    type: "GROUP",
    hands: draft.hands,
    nonce,
    ...(past.length > 0 ? { existing: past } : {}),
    email,
  };
}
