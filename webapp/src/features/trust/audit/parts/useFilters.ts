import { useSearchParams } from "react-router";
import type { AuditNarrowing } from "@/api/audit";
import { parseAmount, toNaira } from "@/lib/money";

/** What every desk can be narrowed by, as the address says it. */
const names = ["member", "min", "max", "channel", "paymentKind", "oddity", "from", "to"] as const;

export type Filters = Partial<Record<string, string>>;

const naira = (text: string | undefined) => {
  const parsed = parseAmount(text ?? "");
  return "kobo" in parsed ? parsed.kobo : undefined;
};

/** Days or amounts that are the wrong way round: nothing is asked for until they are put right. */
export function upsideDown({ min, max, from, to }: Filters) {
  const [least, most] = [naira(min), naira(max)];
  return { amounts: least !== undefined && most !== undefined && least > most, days: !!from && !!to && from > to };
}

/** What is asked of the server: what every desk can be narrowed by, and the desk's own. */
export function asked(filters: Filters): AuditNarrowing {
  const { min, max, ...others } = filters;
  const wrong = upsideDown(filters);
  const amount = (text?: string) => {
    const kobo = naira(text);
    return kobo === undefined ? undefined : String(toNaira(kobo));
  };
  const amounts = wrong.amounts ? {} : { min: amount(min), max: amount(max) };
  if (wrong.days) {
    delete others.from;
    delete others.to;
  }
  return Object.fromEntries(Object.entries({ ...others, ...amounts }).filter(([, value]) => value)) as AuditNarrowing;
}

interface FilteringOf<List extends string> {
  /** The lists of the desk, under their name in the address. */
  param: string;
  lists: readonly List[];
  /** The list that is shown where the address names none. */
  first: List;
  /** What this desk alone is narrowed by. */
  own: readonly string[];
  /** Where filters are saved; empty for the desk across groups. */
  desk?: string;
}

/** The list and the filters, which the address holds: it can be kept, sent and gone back to. */
export function useFilters<List extends string>({ param, lists, first, own, desk = "" }: FilteringOf<List>) {
  const [query, setQuery] = useSearchParams();
  const list = lists.find((name) => name === query.get(param)) ?? first;
  const filters: Filters = {};
  for (const name of [...own, ...names]) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  const go = (to: { list?: List; filters?: Filters }, replace = false) => {
    const next = { [param]: to.list ?? list, ...(to.filters ?? filters) };
    const given = Object.entries(next).filter((entry): entry is [string, string] => !!entry[1]);
    setQuery(new URLSearchParams(given), { replace });
  };
  return {
    desk,
    list: list as string,
    filters,
    count: Object.keys(filters).length,
    toList: (next: string) => go({ list: next as List }),
    set: (change: Filters) => go({ filters: { ...filters, ...change } }, true),
    put: (to: { list: string; filters: Filters }) => go({ list: to.list as List, filters: to.filters }),
    clear: () => go({ filters: {} }),
  };
}

export type Filtering = ReturnType<typeof useFilters>;
