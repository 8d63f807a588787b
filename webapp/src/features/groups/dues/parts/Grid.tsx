import { Box, chakra, Flex } from "@chakra-ui/react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { GridCell, PaymentGrid } from "@/api/schema.gen";
import { lagosDay, shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { VisuallyHidden } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { Avatar } from "@/ui/Person";
import { gridTexts as t } from "../texts";

const ROW_PX = 56;
const AHEAD = 8;
/** So many rows before the end the next page is asked for. */
const EARLY = 30;

const looks: Record<GridCell["status"], { bg: string; color: string }> = {
  NONE: { bg: "transparent", color: "fg.muted" },
  SCHEDULED: { bg: "transparent", color: "fg.muted" },
  DUE: { bg: "bg.brand", color: "fg.brand" },
  PARTIAL: { bg: "bg.warning", color: "fg.warning" },
  PAID: { bg: "bg.success", color: "fg.success" },
  OVERDUE: { bg: "bg.danger", color: "fg.danger" },
  WAIVED: { bg: "bg.muted", color: "fg.muted" },
  WRITTEN_OFF: { bg: "bg.muted", color: "fg.muted" },
};

/** The figure beneath the word: what came in where something did, else what is asked for. */
function figure({ status, paid, amount }: GridCell): string {
  if (paid > 0) return formatNaira(paid);
  return status === "NONE" || amount === 0 ? "" : formatNaira(amount);
}

function Cell({ cell }: { cell: GridCell }) {
  const money = figure(cell).replace(/\.00$/, "");
  return (
    <chakra.td p="1" data-cell={cell.status}>
      <Flex
        direction="column"
        align="center"
        justify="center"
        height="12"
        borderRadius="sm"
        fontVariantNumeric="tabular-nums"
        whiteSpace="nowrap"
        {...looks[cell.status]}
      >
        <chakra.span fontSize="xs" fontWeight="650" lineHeight="1.3">
          {cell.status === "NONE" ? (
            <>
              <span aria-hidden="true">{money ? "" : t.cells.NONE}</span>
              <VisuallyHidden>{t.nothing}</VisuallyHidden>
            </>
          ) : (
            t.cells[cell.status]
          )}
        </chakra.span>
        {money && (
          <chakra.span fontSize="xs" lineHeight="1.3">
            {money}
          </chakra.span>
        )}
      </Flex>
    </chakra.td>
  );
}

const sticky = { position: "sticky", insetStart: "0", bg: "bg.panel", zIndex: "1" } as const;
const nameWidth = { base: "7.5rem", md: "13rem" };

function Row({ row, at }: { row: PaymentGrid["rows"][number]; at: number }) {
  return (
    <chakra.tr aria-rowindex={at + 2} height={`${ROW_PX}px`} data-member={row.userId} borderTopWidth="1px">
      <chakra.th scope="row" textAlign="start" fontWeight="600" px="3" borderEndWidth="1px" {...sticky}>
        <Flex align="center" gap="2.5">
          <Box display={{ base: "none", md: "block" }}>
            <Avatar id={row.userId} name={row.name} size="2rem" />
          </Box>
          <Box minWidth="0">
            <chakra.span
              display="block"
              textStyle="body"
              lineHeight="1.25"
              overflow="hidden"
              lineClamp="2"
              overflowWrap="anywhere"
            >
              {row.name}
            </chakra.span>
            <chakra.span display={{ base: "block", md: "none" }} fontSize="xs" color="fg.muted" fontWeight="500">
              <Naira amount={row.total} />
            </chakra.span>
          </Box>
        </Flex>
      </chakra.th>
      <chakra.td display={{ base: "none", md: "table-cell" }} px="3" textAlign="end" fontWeight="600" textStyle="body">
        <Naira amount={row.total} />
      </chakra.td>
      {row.cells.map((cell, place) => (
        // A cell has no other name than its place among the periods.
        // biome-ignore lint/suspicious/noArrayIndexKey: as said
        <Cell key={place} cell={cell} />
      ))}
    </chakra.tr>
  );
}

function Head({ periods }: Pick<PaymentGrid, "periods">) {
  return (
    <chakra.thead>
      <tr aria-rowindex={1}>
        <chakra.th
          scope="col"
          textAlign="start"
          px="3"
          height="14"
          width={nameWidth}
          borderEndWidth="1px"
          textStyle="small"
          {...sticky}
          top="0"
          zIndex="3"
        >
          {t.member}
        </chakra.th>
        <chakra.th
          scope="col"
          display={{ base: "none", md: "table-cell" }}
          width="8rem"
          px="3"
          textAlign="end"
          textStyle="small"
          position="sticky"
          top="0"
          bg="bg.panel"
          zIndex="2"
        >
          {t.total}
        </chakra.th>
        {periods.map(({ period, label, dueDate }) => (
          <chakra.th
            key={period}
            scope="col"
            width={{ base: "calc((100cqi - 7.5rem) / 2)", md: "5.5rem" }}
            px="1"
            textStyle="small"
            fontWeight="600"
            title={shortDay(dueDate)}
            position="sticky"
            top="0"
            bg="bg.panel"
            zIndex="2"
          >
            {label}
          </chakra.th>
        ))}
      </tr>
    </chakra.thead>
  );
}

/** Room for the rows that are not on the page. */
const Gap = ({ px, columns }: { px: number; columns: number }) =>
  px > 0 ? (
    <tr>
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  ) : null;

interface GridProps {
  name: string;
  periods: PaymentGrid["periods"];
  rows: PaymentGrid["rows"];
  count: number;
  more?: () => void;
  paging: boolean;
  /** Says which rows are in view. */
  onView: (first: number) => void;
}

/** Brings the latest period that has begun into view, beside the names. */
function useLatestInView(periods: PaymentGrid["periods"]) {
  const box = useRef<HTMLDivElement>(null);
  const began = periods[0]?.period;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other periods are another view
  useLayoutEffect(() => {
    const pane = box.current;
    if (!pane) return;
    const today = lagosDay();
    const later = periods.filter(({ period }) => period > today).length;
    const column = pane.querySelector("thead th:last-child")?.getBoundingClientRect().width ?? 0;
    pane.scrollLeft = pane.scrollWidth - pane.clientWidth - Math.max(0, later - 1) * column;
  }, [began, periods.length]);
  return box;
}

/** Member by period: of however many members there are, only those in view are on the page. */
export function Grid({ name, periods, rows, count, more, paging, onView }: GridProps) {
  const box = useLatestInView(periods);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    initialRect: { width: 800, height: 600 },
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => onView(first), [first, onView]);
  useEffect(() => {
    if (more && !paging && last >= rows.length - EARLY) more();
  }, [more, paging, last, rows.length]);
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <Box
      ref={box}
      role="region"
      aria-label={t.caption(name)}
      tabIndex={0}
      overflow="auto"
      containerType="inline-size"
      maxHeight="min(42rem, calc(100dvh - 9rem))"
      borderRadius="md"
      borderWidth="1px"
      borderColor="border"
    >
      <chakra.table
        aria-rowcount={count + 1}
        borderCollapse="separate"
        borderSpacing="0"
        tableLayout="fixed"
        width="max-content"
        minWidth="full"
        css={{ "& th, & td": { borderColor: "border" }, "& tbody th, & tbody td": { borderTopWidth: "1px" } }}
      >
        <VisuallyHidden asChild>
          <caption>{t.caption(name)}</caption>
        </VisuallyHidden>
        <Head periods={periods} />
        <tbody>
          <Gap px={before} columns={periods.length + 2} />
          {shown.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.userId} row={row} at={index} />;
          })}
          <Gap px={after} columns={periods.length + 2} />
        </tbody>
      </chakra.table>
    </Box>
  );
}
