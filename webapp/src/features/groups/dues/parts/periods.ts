interface Period {
  period: string;
}

const DAY_MS = 86_400_000;

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * The day to ask from, so that as many other periods are shown before or after these: in the middle of the first
 * of them, since months differ in length. Absent where there is but one period and so no telling how long they are.
 */
export function moved(periods: Period[], by: -1 | 1): string | undefined {
  const first = periods[0];
  const last = periods.at(-1);
  if (!first || !last || periods.length < 2) return undefined;
  const step = (at(last.period) - at(first.period)) / (periods.length - 1);
  const start = by < 0 ? at(first.period) - periods.length * step : at(last.period) + step;
  return dayOf(Math.round((start + step / 2) / DAY_MS) * DAY_MS);
}
