import { chakra } from "@chakra-ui/react";
import { screenTexts } from "@/lib/texts/common";
import { Button } from "./Button";

/** A list's next page, for who asks for it. */
export function More({ onMore, busy }: { onMore: (() => void) | undefined; busy: boolean }) {
  if (!onMore) return null;
  return (
    <chakra.div mt="4">
      <Button variant="outline" loading={busy} onClick={onMore}>
        {screenTexts.loadMore}
      </Button>
    </chakra.div>
  );
}
