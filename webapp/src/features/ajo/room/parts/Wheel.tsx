import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useId } from "react";
import type { Ajo, AjoCycle, AjoSeat } from "@/api/schema.gen";

const SIZE = 240;
const OUTER = 118;
const INNER = 80;
/** Of the circle, between two turns. */
const GAP = 0.012;

const fills = {
  PAST: "gray",
  UPCOMING: "grayLine",
  COLLECTING: "brand",
  GRACE: "amber",
  READY: "brand",
  PAYOUT_REQUESTED: "brand",
  ON_HOLD: "amber",
  PAID: "green",
} as const satisfies Record<AjoCycle["status"], string>;

const at = (part: number, radius: number) => {
  const angle = 2 * Math.PI * part - Math.PI / 2;
  return `${SIZE / 2 + radius * Math.cos(angle)} ${SIZE / 2 + radius * Math.sin(angle)}`;
};

/** A turn's part of the ring, clockwise from the top. */
export function sector(turn: number, of: number): string {
  const gap = of > 1 ? Math.min(GAP, 0.2 / of) : 0.001;
  const from = (turn - 1) / of + gap / 2;
  const to = turn / of - gap / 2;
  const large = to - from > 0.5 ? 1 : 0;
  return [
    `M${at(from, OUTER)}`,
    `A${OUTER} ${OUTER} 0 ${large} 1 ${at(to, OUTER)}`,
    `L${at(to, INNER)}`,
    `A${INNER} ${INNER} 0 ${large} 0 ${at(from, INNER)}Z`,
  ].join("");
}

const initialsOf = (names: string) =>
  names
    .split(/[\s,&]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((part) => part[0])
    .join("")
    .toUpperCase();

const DARK = ["brand", "amber", "green"];

interface Part {
  key: number;
  fill: string;
  letters: string | number;
  mine: boolean;
}

const ofCycle = ({ cycle, status, names, isMine }: AjoCycle): Part => ({
  key: cycle,
  fill: fills[status],
  letters: initialsOf(names) || cycle,
  mine: isMine,
});

const ofSeat = ({ seat, status, holders }: AjoSeat): Part => ({
  key: seat,
  fill: status === "FREE" ? "grayLine" : status === "HALF" ? "amber" : "brand",
  letters: initialsOf(holders.map(({ name }) => name).join(" & ")) || seat,
  mine: holders.some(({ isMe }) => isMe),
});

/** Whether it is known who collects when. */
export const isOrdered = ({ cycles }: Pick<Ajo, "cycles">) => cycles.some(({ seat }) => seat > 0);

function Sector({ part: { fill, letters, mine }, turn, of }: { part: Part; turn: number; of: number }) {
  const [x, y] = at((turn - 0.5) / of, (OUTER + INNER) / 2).split(" ");
  return (
    <g>
      <chakra.path
        d={sector(turn, of)}
        fill={fill}
        stroke={mine ? "fg" : "none"}
        strokeWidth={mine ? "3" : "0"}
        transition="fill 300ms"
      />
      {of <= 12 && (
        <chakra.text
          x={x}
          y={y}
          textAnchor="middle"
          dominantBaseline="central"
          fontSize="13px"
          fontWeight="650"
          fill={DARK.includes(fill) ? "white" : "fg"}
        >
          {letters}
        </chakra.text>
      )}
    </g>
  );
}

/** The pot's level in the middle of the wheel. */
function Level({ part }: { part: number }) {
  const clip = useId();
  const radius = INNER - 5;
  const height = 2 * radius * part;
  return (
    <>
      <clipPath id={clip}>
        <circle cx={SIZE / 2} cy={SIZE / 2} r={radius} />
      </clipPath>
      <chakra.circle cx={SIZE / 2} cy={SIZE / 2} r={radius} fill="bg.muted" />
      <chakra.rect
        clipPath={`url(#${clip})`}
        x="0"
        width={SIZE}
        y={SIZE / 2 + radius - height}
        height={height}
        fill="bg.brand"
        transition="y 300ms, height 300ms"
        data-level={part.toFixed(2)}
      />
    </>
  );
}

interface WheelProps {
  ajo: Pick<Ajo, "cycles" | "seats">;
  /** How full the pot is, from 0 to 1. */
  part: number;
  /** What is in the middle. */
  children: ReactNode;
}

/** The turns as a ring, before the order is set the seats; the pot fills in its middle. The list says the same in words. */
export function Wheel({ ajo, part, children }: WheelProps) {
  const parts = isOrdered(ajo) ? ajo.cycles.map(ofCycle) : ajo.seats.map(ofSeat);
  return (
    <Box position="relative" width="14.5rem" maxWidth="full" flexShrink="0">
      <chakra.svg viewBox={`0 0 ${SIZE} ${SIZE}`} width="full" aria-hidden="true" data-wheel={parts.length}>
        <Level part={part} />
        {parts.map((one, turn) => (
          <Sector key={one.key} part={one} turn={turn + 1} of={parts.length} />
        ))}
      </chakra.svg>
      <Flex position="absolute" inset="0" direction="column" align="center" justify="center" textAlign="center">
        {children}
      </Flex>
    </Box>
  );
}
