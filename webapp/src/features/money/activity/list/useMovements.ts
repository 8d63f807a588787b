import { useCallback, useMemo, useState } from "react";
import { type Filters, getMovements } from "@/api/records";
import { usePages } from "@/store/useRead";
import { joinRows, type Row, rowsOf } from "./rows";

type Page = Awaited<ReturnType<typeof getMovements>>["value"];

/** Answers how to get the lines of a page, each worked out once: a long list grows page by page. */
function useLines() {
  const [known] = useState(() => new WeakMap<Page, Row[]>());
  return useCallback(
    (page: Page) => {
      const lines = known.get(page) ?? rowsOf(page.transactions);
      known.set(page, lines);
      return lines;
    },
    [known],
  );
}

/** The movements that the filters let through, by day, page after page. */
export function useMovements(filters: Filters) {
  const lines = useLines();
  const { pages, ...list } = usePages({
    key: `movements:${JSON.stringify(filters)}`,
    area: "activity",
    topics: ["activity"],
    rows: "transactions",
    read: ({ before }) => getMovements(filters, before),
  });
  const rows = useMemo(() => pages.map(lines).reduce<Row[]>(joinRows, []), [pages, lines]);
  return { ...list, rows };
}
