import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";

/**
 * What one does last, in reach of a thumb however long the form is. It has its place at the form's end, so it never
 * lies over it; `data-bar` keeps what is focused above it.
 */
export function PayBar({ children }: { children: ReactNode }) {
  return (
    <chakra.div
      data-bar
      position="sticky"
      bottom="var(--frame-bottom)"
      zIndex="docked"
      mx={{ base: "-4", md: "-6" }}
      mb={{ base: "-4", md: "-6" }}
      px={{ base: "4", md: "6" }}
      pt="3"
      pb="3"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border"
      borderBottomRadius="card"
    >
      {children}
    </chakra.div>
  );
}
