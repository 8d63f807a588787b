import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { Filters } from "@/api/records";
import type { MovementKind } from "@/api/schema.gen";

/** The kinds of movement that people know, each with the server's kinds. */
export const kinds = {
  funded: ["WALLET_FUNDED", "UNMATCHED_ASSIGNED"],
  contributions: ["CONTRIBUTION", "COVER"],
  withdrawals: ["WITHDRAWAL", "WITHDRAWAL_RETURNED"],
  paidOut: ["SAVINGS_PAID_OUT", "SAVINGS_RETURNED", "GROUP_REST"],
  reversed: [
    "PAYMENT_REVERSED",
    "CONTRIBUTION_REVERSED",
    "ADJUSTMENT_PAID",
    "ADJUSTMENT_TAKEN",
    "DEBT_OPENED",
    "DEBT_SETTLED",
  ],
  held: ["MONEY_HELD", "HOLD_ENDED"],
} as const satisfies Record<string, readonly MovementKind[]>;

export type FilterName = "kind" | "direction" | "channel" | "groupId" | "from" | "to" | "search";

const names: FilterName[] = ["kind", "direction", "channel", "groupId", "from", "to", "search"];

const oneOf = <T extends string>(value: string | null, values: readonly T[]) => values.find((one) => one === value);
const dayOf = (value: string | null) => (value && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined);

function filtersOf(query: URLSearchParams): Filters {
  const kind = oneOf(query.get("kind"), Object.keys(kinds) as (keyof typeof kinds)[]);
  const filters: Filters = {
    kind: kind && [...kinds[kind]],
    direction: oneOf(query.get("direction"), ["IN", "OUT"]),
    channel: oneOf(query.get("channel"), ["BANK_TRANSFER", "CARD", "WALLET"]),
    groupId: query.get("groupId") || undefined,
    from: dayOf(query.get("from")),
    to: dayOf(query.get("to")),
    search: query.get("search")?.trim() || undefined,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** Tells what one sent oneself, and comes to be shown late, from what comes from elsewhere. */
export function useSent() {
  const [sent] = useState(() => {
    let waits: string[] = [];
    return {
      add: (text: string) => void waits.push(text),
      came: (text: string) => {
        const at = waits.indexOf(text);
        waits = at < 0 ? [] : waits.slice(at + 1);
        return at >= 0;
      },
    };
  });
  return sent;
}

/**
 * The filters in the address, so that a search can be come back to and passed on. A change
 * builds on the one before it even when the address does not show that one yet.
 */
export function useFilters() {
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  const latest = useRef(text);
  const sent = useSent();
  useEffect(() => {
    if (!sent.came(text)) latest.current = text;
  }, [text, sent]);
  const filters = useMemo(() => filtersOf(new URLSearchParams(text)), [text]);
  const change = (values: Partial<Record<FilterName, string>>) => {
    const next = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    if (next.toString() === latest.current) return;
    latest.current = next.toString();
    sent.add(latest.current);
    setQuery(next, { replace: true });
  };
  return {
    filters,
    value: (name: FilterName) => query.get(name) ?? "",
    set: (name: FilterName, value: string) => change({ [name]: value }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, ""]))),
  };
}

export type UseFilters = ReturnType<typeof useFilters>;
