import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { screenTexts } from "@/lib/texts/common";
import { Button } from "./Button";

interface FewProps<T> {
  items: T[];
  /** So many are shown until more are asked for. */
  first: number;
  children: (item: T) => ReactNode;
}

/** A long list that starts short. */
export function Few<T>({ items, first, children }: FewProps<T>) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, first);
  return (
    <>
      <Stack gap="0" divideY="1px" divideColor="border">
        {shown.map(children)}
      </Stack>
      {shown.length < items.length && (
        <chakra.div mt="4">
          <Button variant="outline" size="sm" onClick={() => setAll(true)}>
            {screenTexts.loadMore}
          </Button>
        </chakra.div>
      )}
    </>
  );
}
