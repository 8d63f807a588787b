import { Tooltip as Chakra } from "@chakra-ui/react";
import type { ReactElement } from "react";

/** A name beside an icon, on hover and on focus. */
export function Tooltip({ name, children }: { name: string; children: ReactElement }) {
  return (
    <Chakra.Root openDelay={150} closeDelay={50} positioning={{ placement: "right" }}>
      <Chakra.Trigger asChild>{children}</Chakra.Trigger>
      <Chakra.Positioner>
        <Chakra.Content>{name}</Chakra.Content>
      </Chakra.Positioner>
    </Chakra.Root>
  );
}
