import type { Movement } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";

/** A line of the list: a Lagos day's heading, or a movement of that day. */
export type Row = { day: string; movement?: undefined } | { day: string; movement: Movement };

/** Newest first, as they come: a heading wherever another day begins. */
export function rowsOf(movements: Movement[]): Row[] {
  const rows: Row[] = [];
  for (const movement of movements) {
    const day = lagosDay(movement.date);
    if (rows.at(-1)?.day !== day) rows.push({ day });
    rows.push({ day, movement });
  }
  return rows;
}

/** Older rows after newer ones; a day that goes on keeps one heading. Costs no more than what is added. */
export function joinRows(newer: Row[], older: Row[]): Row[] {
  const goesOn = newer.length > 0 && older.length > 0 && newer.at(-1)?.day === older[0]?.day;
  return newer.concat(goesOn ? older.slice(1) : older);
}
