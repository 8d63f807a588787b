/** The twelve months with their ids, as the look-up has them. */
export const months = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  name: new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(Date.UTC(2024, at, 15)),
}));

export const monthName = (id: number) => months[id - 1]?.name ?? "";
