import { chakra } from "@chakra-ui/react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ListSkeleton } from "./Skeletons";

const AHEAD = 10;
/** So many rows before the end the next page is asked for. */
const EARLY = 20;

interface LongListProps<T> {
  label: string;
  items: T[];
  idOf: (item: T) => string;
  rowPx: number;
  more?: () => void;
  paging?: boolean;
  /** This row is brought into view when it changes. */
  at?: number;
  children: (item: T, at: number) => ReactNode;
}

/** How far down the page the list begins: the window scrolls, not the list. */
export function useOffset() {
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      setOffset(Math.round(top + window.scrollY));
    };
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const watching = new ResizeObserver(measure);
    watching.observe(document.body);
    return () => watching.disconnect();
  }, []);
  return { list, offset };
}

/** Of however many rows there are, only those in view are on the page; the next page comes before the end does. */
export function LongList<T>(props: LongListProps<T>) {
  const { label, items, idOf, rowPx, more, paging = false, at, children } = props;
  const { list, offset } = useOffset();
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowPx,
    getItemKey: (place) => {
      const item = items[place];
      return item ? idOf(item) : place;
    },
    overscan: AHEAD,
    scrollMargin: offset,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && !paging && last >= items.length - EARLY) more();
  }, [more, paging, last, items.length]);
  const before = useRef(0); // A list may begin elsewhere than at its top.
  useEffect(() => {
    if (at === undefined || before.current === at) return;
    before.current = at;
    virtual.scrollToIndex(at, { align: "auto" });
  }, [at, virtual]);
  return (
    <>
      <chakra.ul
        ref={list}
        listStyleType="none"
        position="relative"
        aria-label={label}
        height={`${virtual.getTotalSize()}px`}
      >
        {shown.map(({ index, key, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <chakra.li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                position="absolute"
                insetInline="0"
                top="0"
                borderTopWidth={index > 0 ? "1px" : "0"}
                borderColor="border"
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                {children(item, index)}
              </chakra.li>
            )
          );
        })}
      </chakra.ul>
      {paging && <ListSkeleton rows={2} />}
    </>
  );
}
