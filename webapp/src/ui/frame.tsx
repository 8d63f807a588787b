import { Box } from "@chakra-ui/react";
import { createContext, type ReactNode } from "react";
import { LinkButton } from "./Button";

/** Where a page puts its title below 1024 px: in the header. Null where the title is in the page itself. */
export const TitleSlot = createContext<HTMLElement | null>(null);

/** The way one level up. Below 1024 px the arrow in the header is that way. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Box hideBelow="lg">
      <LinkButton to={to} variant="link">
        ← {children}
      </LinkButton>
    </Box>
  );
}
