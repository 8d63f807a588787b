import { chakra } from "@chakra-ui/react";

/** How far something is, 0 to 1. */
export function Meter({ part, label }: { part: number; label: string }) {
  return (
    <chakra.progress
      value={part}
      max={1}
      aria-label={label}
      width="full"
      height="2"
      display="block"
      accentColor="brand"
      css={{
        appearance: "none",
        borderRadius: "full",
        overflow: "hidden",
        bg: "grayLine",
        "&::-webkit-progress-bar": { bg: "grayLine" },
        "&::-webkit-progress-value": { bg: "brand", transition: "inline-size 120ms" },
        "&::-moz-progress-bar": { bg: "brand" },
      }}
    />
  );
}
