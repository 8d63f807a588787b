import { present } from "./present";

const LAGOS = "Africa/Lagos";

const form = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { timeZone: LAGOS, ...options });

const dayForm = form({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortDayForm = form({ day: "numeric", month: "short", year: "numeric" });
const timeForm = form({ hour: "2-digit", minute: "2-digit", hour12: false });
const keyForm = new Intl.DateTimeFormat("en-CA", {
  timeZone: LAGOS,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** YYYY-MM-DD of the day it is in Lagos at that moment. */
export function lagosDay(moment: Date | string = present()): string {
  return keyForm.format(new Date(moment));
}

/** A plain day (YYYY-MM-DD) stands for noon in Lagos, so that no zone moves it. */
function at(value: string): Date {
  return new Date(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T12:00:00+01:00` : value);
}

function named(value: string, form: Intl.DateTimeFormat, now: Date): string {
  const day = lagosDay(at(value));
  if (day === lagosDay(now)) return "Today";
  if (day === lagosDay(new Date(now.getTime() - 86_400_000))) return "Yesterday";
  return form.format(at(value));
}

/** "Today", "Yesterday", "Sunday, 1 November 2026" */
export const dayName = (value: string, now = present()) => named(value, dayForm, now);

/** "Today", "Yesterday", "1 Nov 2026" */
export const briefDay = (value: string, now = present()) => named(value, shortDayForm, now);

const DAY_MS = 86_400_000;

/** How many days from today to a plain day (YYYY-MM-DD): negative once it is over. */
export function daysTo(day: string, today = lagosDay()): number {
  return Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
}

export function shortDay(value: string): string {
  return shortDayForm.format(at(value));
}

export function timeOf(value: string): string {
  return timeForm.format(at(value));
}

export function moment(value: string): string {
  return `${shortDay(value)}, ${timeOf(value)}`;
}

/** "14:02", or "22 Nov 2026, 14:02" where that is another day. */
export function until(value: string, now = present()): string {
  return lagosDay(value) === lagosDay(now) ? timeOf(value) : moment(value);
}

export const MINIMUM_AGE = 15;
const ADULT_AGE = 18;

/** The latest birthday that is old enough on the day given. 29 February counts from 1 March in a short year. */
export function latestBirthday(today = lagosDay(), age = MINIMUM_AGE): string {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number];
  return `${String(year - age).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

export function isOldEnough(dateOfBirth: string, today = lagosDay()): boolean {
  return dateOfBirth <= latestBirthday(today);
}

export function isAdult(dateOfBirth: string, today = lagosDay()): boolean {
  return dateOfBirth <= latestBirthday(today, ADULT_AGE);
}

const weekdayForm = form({ weekday: "short", day: "numeric", month: "short" });

/** "Sat 12 Dec", with the year where it is another one than today's. */
export function weekday(value: string, now = present()): string {
  const day = weekdayForm.format(at(value)).replace(",", "");
  const year = lagosDay(at(value)).slice(0, 4);
  return year === lagosDay(now).slice(0, 4) ? day : `${day} ${year}`;
}
