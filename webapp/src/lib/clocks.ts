const exactForm = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

/** "14:02:05" */
export const exactTime = (value: string) => exactForm.format(new Date(value));

const UNITS: [ms: number, one: string, many: string][] = [
  [86_400_000, "day", "days"],
  [3_600_000, "h", "h"],
  [60_000, "min", "min"],
  [1000, "s", "s"],
];

/** How far two moments are apart, in its two largest units: "2 days 3 h", "2 h 10 min", "5 s". */
export function apart(one: string | Date, other: string | Date): string {
  let rest = Math.abs(new Date(one).getTime() - new Date(other).getTime());
  const first = UNITS.findIndex(([ms]) => rest >= ms);
  if (first < 0) return "0 s";
  const parts = UNITS.slice(first, first + 2).flatMap(([ms, single, many]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return count === 0 ? [] : [`${count} ${count === 1 ? single : many}`];
  });
  return parts.join(" ");
}
