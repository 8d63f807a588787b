import { chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useId } from "react";
import { emblemLetters, emblemOf, type Look } from "@/lib/emblems";

/** Darker than the colour beneath, so that the letters gain contrast: a tile of 12 by 12 each. */
const tiles: ReactNode[] = [
  <circle key="dots" cx="6" cy="6" r="3" />,
  <path key="stripes" d="M0 12 12 0H6L0 6zM12 12V6l-6 6z" />,
  <path key="steps" d="M0 0h6v6H0zM6 6h6v6H6z" />,
  <path key="waves" d="M0 4q3-4 6 0t6 0v4q-3 4-6 0t-6 0z" />,
];

interface EmblemProps {
  id: string;
  name: string;
  size?: string;
  /** Its look in a list, where neighbours differ; its own when absent. */
  look?: Look;
}

/** What people tell a group or an ajo by before they read its name: two letters on a colour with a pattern. */
export function Emblem({ id, name, size = "2.75rem", look = emblemOf(id) }: EmblemProps) {
  const pattern = useId();
  return (
    <Flex
      position="relative"
      boxSize={size}
      flexShrink="0"
      align="center"
      justify="center"
      borderRadius="md"
      overflow="hidden"
      bg={`face${look.colour}`}
      color="white"
      fontWeight="700"
      fontSize={`calc(${size} * 0.38)`}
      lineHeight="1"
      letterSpacing="0"
      aria-hidden="true"
      data-emblem={`${look.colour}-${look.pattern}`}
      // Drawn, not written: they are no part of what a link around them is called.
      data-letters={emblemLetters(name)}
      _before={{ content: "attr(data-letters)", position: "relative", zIndex: "1" }}
    >
      <chakra.svg viewBox="0 0 44 44" position="absolute" inset="0" boxSize="full" opacity="0.14">
        <pattern id={pattern} width="12" height="12" patternUnits="userSpaceOnUse">
          {tiles[look.pattern]}
        </pattern>
        <rect width="44" height="44" fill={`url(#${pattern})`} />
      </chakra.svg>
    </Flex>
  );
}
