import { useSearchParams } from "react-router";
import type { DeskOf } from "@/api/audit";
import { parseAmount, toNaira } from "@/lib/money";

/** What the desk can be narrowed by, as the address says it. */
const names = ["place", "member", "min", "max", "channel", "paymentKind", "oddity", "from", "to"] as const;

export type FilterName = (typeof names)[number];
export type Filters = Partial<Record<FilterName, string>>;

const queues = ["OLDEST", "ODD", "SAMPLE", "PAYOUTS", "AJO", "ANSWERED", "QUERIED", "DISPUTED"] as const;
export type QueueName = (typeof queues)[number];
export { queues };

const naira = (text: string | undefined) => {
  const parsed = parseAmount(text ?? "");
  return "kobo" in parsed ? parsed.kobo : undefined;
};

/** Days or amounts that are the wrong way round: nothing is asked for until they are put right. */
export function upsideDown({ min, max, from, to }: Filters) {
  const [least, most] = [naira(min), naira(max)];
  return { amounts: least !== undefined && most !== undefined && least > most, days: !!from && !!to && from > to };
}

/** What is asked of the server. */
export function asked(queue: QueueName, filters: Filters): DeskOf {
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
  const given = Object.entries({ queue, ...others, ...amounts }).filter(([, value]) => value);
  return Object.fromEntries(given) as DeskOf;
}

/** The queue and the filters, which the address holds: it can be kept, sent and gone back to. */
export function useFilters() {
  const [query, setQuery] = useSearchParams();
  const queue = queues.find((name) => name === query.get("queue")) ?? "OLDEST";
  const filters: Filters = {};
  for (const name of names) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  const go = (to: { queue?: QueueName; filters?: Filters }, replace = false) => {
    const next = { queue: to.queue ?? queue, ...(to.filters ?? filters) };
    setQuery(new URLSearchParams(Object.entries(next).filter(([, value]) => value)), { replace });
  };
  return {
    queue,
    filters,
    count: Object.keys(filters).length,
    toQueue: (next: QueueName) => go({ queue: next }),
    set: (change: Filters) => go({ filters: { ...filters, ...change } }, true),
    put: (to: { queue: QueueName; filters: Filters }) => go(to),
    clear: () => go({ filters: {} }),
  };
}

export type DeskFilters = ReturnType<typeof useFilters>;
