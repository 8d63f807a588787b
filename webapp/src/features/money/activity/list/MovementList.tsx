import { chakra } from "@chakra-ui/react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { dayName } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { useOffset } from "@/ui/LongList";
import { MovementRow } from "@/ui/money/MovementRow";
import { ListSkeleton } from "@/ui/Skeletons";
import { filterTexts as t } from "../texts";
import type { Row } from "./rows";

const ROW_PX = 68;
const DAY_PX = 44;
const AHEAD = 12;
/** So many rows before the end the next page is asked for. */
const EARLY = 30;

interface MovementListProps {
  rows: Row[];
  paging: boolean;
  onMore: (() => void) | undefined;
}

/** Movements by Lagos day. Of however many there are, only those in view are on the page. */
export function MovementList({ rows, paging, onMore }: MovementListProps) {
  const { list, offset } = useOffset();
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (at) => (rows[at]?.movement ? ROW_PX : DAY_PX),
    getItemKey: (at) => rows[at]?.movement?.id ?? rows[at]?.day ?? at,
    overscan: AHEAD,
    scrollMargin: offset,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onMore && !paging && last >= rows.length - EARLY) onMore();
  }, [paging, last, rows.length, onMore]);
  return (
    <>
      <chakra.ul
        ref={list}
        listStyleType="none"
        position="relative"
        aria-label={t.list}
        height={`${virtual.getTotalSize()}px`}
      >
        {shown.map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ position: "absolute", insetInline: 0, top: 0, transform: `translateY(${start - offset}px)` }}
            >
              {row.movement ? (
                <MovementRow movement={row.movement} to={paths.activityDetail(row.movement.id)} />
              ) : (
                <chakra.h2 textStyle="label" color="fg.muted" pt="4" pb="1">
                  {dayName(row.day)}
                </chakra.h2>
              )}
            </li>
          );
        })}
      </chakra.ul>
      {paging && <ListSkeleton rows={3} />}
    </>
  );
}
