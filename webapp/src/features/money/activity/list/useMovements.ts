import { useMemo } from "react";
import { type Filters, getMovements } from "@/api/records";
import { usePages } from "@/store/useRead";
import { joinRows, type Row, rowsOf } from "./rows";

type Page = Awaited<ReturnType<typeof getMovements>>["value"];

/** The lines of a page, worked out once: a long list grows page by page. */
const linesOf = new WeakMap<Page, Row[]>();

function lines(page: Page): Row[] {
  const known = linesOf.get(page) ?? rowsOf(page.transactions);
  linesOf.set(page, known);
  return known;
}

/** The movements that the filters let through, by day, page after page. */
export function useMovements(filters: Filters) {
  const { pages, ...list } = usePages({
    key: `movements:${JSON.stringify(filters)}`,
    area: "activity",
    topics: ["activity"],
    rows: "transactions",
    read: ({ before }) => getMovements(filters, before),
  });
  const rows = useMemo(() => pages.map(lines).reduce<Row[]>(joinRows, []), [pages]);
  return { ...list, rows };
}
