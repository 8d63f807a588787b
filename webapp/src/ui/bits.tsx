import { Box, chakra, Flex } from "@chakra-ui/react";
import { Fragment, type ReactNode } from "react";
import { CheckIcon, InfoIcon, WarningIcon } from "./icons";

type Tone = "neutral" | "brand" | "success" | "warning" | "danger";

const tones: Record<Tone, { bg: string; color: string }> = {
  neutral: { bg: "bg.muted", color: "fg.muted" },
  brand: { bg: "bg.brand", color: "fg.brand" },
  success: { bg: "bg.success", color: "fg.success" },
  warning: { bg: "bg.warning", color: "fg.warning" },
  danger: { bg: "bg.danger", color: "fg.danger" },
};

export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      px="2.5"
      py="0.5"
      borderRadius="full"
      fontSize="xs"
      fontWeight="600"
      whiteSpace="nowrap"
      {...tones[tone]}
    >
      {children}
    </chakra.span>
  );
}

interface NoteProps {
  tone?: Exclude<Tone, "neutral">;
  title?: ReactNode;
  children: ReactNode;
  /** Read out as soon as it appears. */
  live?: boolean;
}

const marks = { brand: <InfoIcon />, success: <CheckIcon />, warning: <WarningIcon />, danger: <WarningIcon /> };

/** A sentence that must not be missed, in its place rather than in a toast. */
export function Note({ tone = "brand", title, children, live = false }: NoteProps) {
  return (
    <Flex gap="3" px="4" py="3.5" borderRadius="md" bg={tones[tone].bg} role={live ? "status" : undefined}>
      <Box color={tones[tone].color} fontSize="lg" pt="0.5" flexShrink="0">
        {marks[tone]}
      </Box>
      <Box textStyle="body" minWidth="0" flex="1">
        {title && <chakra.p fontWeight="650">{title}</chakra.p>}
        {children}
      </Box>
    </Flex>
  );
}

/** Names on the left, facts on the right. */
export function Facts({ rows }: { rows: [name: string, fact: ReactNode][] }) {
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="fit-content(50%) minmax(min-content, 1fr)"
      columnGap="4"
      rowGap="3"
      textStyle="body"
    >
      {rows.map(([name, fact]) => (
        <Fragment key={name}>
          <chakra.dt color="fg.muted">{name}</chakra.dt>
          <chakra.dd textAlign="end" fontWeight="600" minWidth="0" overflowWrap="anywhere">
            {fact}
          </chakra.dd>
        </Fragment>
      ))}
    </chakra.dl>
  );
}

/** A share of the whole as a ring, with the figure in words in the middle. */
export function Ring({ done, of, label, size = 64 }: { done: number; of: number; label: string; size?: number }) {
  const part = of === 0 ? 0 : Math.min(1, done / of);
  const girth = 2 * Math.PI * 26;
  return (
    <Box position="relative" width={`${size}px`} height={`${size}px`} flexShrink="0" role="img" aria-label={label}>
      <chakra.svg viewBox="0 0 64 64" width="full" height="full" aria-hidden="true" transform="rotate(-90deg)">
        <chakra.circle cx="32" cy="32" r="26" fill="none" stroke="grayLine" strokeWidth="7" />
        {part > 0 && (
          <chakra.circle
            cx="32"
            cy="32"
            r="26"
            fill="none"
            stroke="green"
            strokeWidth="7"
            strokeLinecap="round"
            strokeDasharray={`${part * girth} ${girth}`}
            transition="stroke-dasharray 300ms"
          />
        )}
      </chakra.svg>
      <Flex
        position="absolute"
        inset="0"
        align="center"
        justify="center"
        fontSize="xs"
        fontWeight="650"
        aria-hidden="true"
      >
        {done}/{of}
      </Flex>
    </Box>
  );
}

/** Heard, not seen. */
export const VisuallyHidden = chakra("span", {
  base: {
    position: "absolute",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
    whiteSpace: "nowrap",
  },
});
