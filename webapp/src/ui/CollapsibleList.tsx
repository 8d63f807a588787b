import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { screenTexts } from "@/lib/texts/common";
import { Button } from "./Button";

interface CollapsibleListProps<T> {
  items: T[];
  /** So many are shown until more are asked for. */
  first: number;
  /** Each stands for itself, as cards do, without lines between them. */
  apart?: boolean;
  children: (item: T) => ReactNode;
}

/** A long list that starts short. */
export function CollapsibleList<T>({ items, first, apart = false, children }: CollapsibleListProps<T>) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const showAll = () => {
    flushSync(() => setAll(true));
    // The button is gone: the reader goes on with the first that it brought.
    const next = list.current?.children[first];
    if (!(next instanceof HTMLElement)) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
  const shown = all ? items : items.slice(0, first);
  return (
    <>
      <Stack ref={list} gap={apart ? "4" : "0"} divideY={apart ? "0" : "1px"} divideColor="border">
        {shown.map(children)}
      </Stack>
      {shown.length < items.length && (
        <chakra.div mt="4">
          <Button variant="outline" size="sm" onClick={showAll}>
            {screenTexts.loadMore}
          </Button>
        </chakra.div>
      )}
    </>
  );
}
