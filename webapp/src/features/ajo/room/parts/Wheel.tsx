import { chakra } from "@chakra-ui/react";
import type { Ajo, AjoCycle } from "@/api/schema.gen";
import { wheelTexts as t } from "../texts";

const SIZE = 240;
const OUTER = 112;
const INNER = 66;
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

const DARK = ["COLLECTING", "GRACE", "READY", "PAYOUT_REQUESTED", "ON_HOLD", "PAID"];

/** The turns as a ring; the list beside it says the same in words. */
export function Wheel({ ajo: { cycles, currentAjoCyle: now } }: { ajo: Ajo }) {
  const of = cycles.length;
  return (
    <chakra.svg viewBox={`0 0 ${SIZE} ${SIZE}`} width="16rem" maxWidth="full" aria-hidden="true" data-wheel={of}>
      {cycles.map(({ cycle, status, names, isMine }) => (
        <g key={cycle}>
          <chakra.path
            d={sector(cycle, of)}
            fill={fills[status]}
            stroke={isMine ? "fg" : "none"}
            strokeWidth={isMine ? "3" : "0"}
            transition="fill 300ms"
          />
          {of <= 12 && (
            <chakra.text
              x={at((cycle - 0.5) / of, (OUTER + INNER) / 2).split(" ")[0]}
              y={at((cycle - 0.5) / of, (OUTER + INNER) / 2).split(" ")[1]}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize="13px"
              fontWeight="650"
              fill={DARK.includes(status) ? "white" : "fg"}
            >
              {initialsOf(names) || cycle}
            </chakra.text>
          )}
        </g>
      ))}
      <chakra.text
        x={SIZE / 2}
        y={SIZE / 2}
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="15px"
        fontWeight="650"
        fill="fg"
      >
        {now ? t.center(now.cycle, of) : ""}
      </chakra.text>
    </chakra.svg>
  );
}
