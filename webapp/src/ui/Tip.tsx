import { Tooltip } from "@chakra-ui/react";
import type { ReactElement } from "react";

/** A name beside an icon, on hover and on focus. */
export function Tip({ name, children }: { name: string; children: ReactElement }) {
  return (
    <Tooltip.Root openDelay={150} closeDelay={50} positioning={{ placement: "right" }}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Positioner>
        <Tooltip.Content>{name}</Tooltip.Content>
      </Tooltip.Positioner>
    </Tooltip.Root>
  );
}
