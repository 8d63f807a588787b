import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";

function Picture({ box, width, children }: { box: string; width: string; children: ReactNode }) {
  return (
    <chakra.svg viewBox={box} width={width} maxWidth="full" height="auto" aria-hidden="true" focusable="false">
      {children}
    </chakra.svg>
  );
}

const C = chakra.circle;
const P = chakra.path;
const R = chakra.rect;
const line = { strokeWidth: "2.5", strokeLinecap: "round", strokeLinejoin: "round", fillOpacity: "0" } as const;

/** A round-headed person seen to the shoulders, at a place of the circle. */
function Sitter({ x, y, face, paid }: { x: number; y: number; face: string; paid: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <C r="33" fill="white" stroke="grayLine" strokeWidth="2" />
      <P d="M-18 22c2-13 9-18 18-18s16 5 18 18a33 33 0 0 1-36 0Z" fill={face} />
      <C cy="-8" r="10.5" fill={face} />
      {paid && (
        <g transform="translate(23 23)">
          <C r="11" fill="green" stroke="white" strokeWidth="3" />
          <P d="m-4.500.5 3 3 6-6.500" stroke="white" {...line} />
        </g>
      )}
    </g>
  );
}

const seats = [0, 1, 2, 3, 4, 5].map((seat) => {
  const turn = (seat / 6) * 2 * Math.PI - Math.PI / 2;
  return { x: Math.round(220 + Math.cos(turn) * 152), y: Math.round(212 + Math.sin(turn) * 152) };
});

/** Six people around one purse; whoever has paid bears a tick. */
export function Circle() {
  return (
    <Picture box="0 0 440 424" width="27.5rem">
      <C
        cx="220"
        cy="212"
        r="152"
        fill="none"
        stroke="brandLine"
        strokeWidth="2.5"
        strokeDasharray="1 9"
        strokeLinecap="round"
      />
      {seats.map(({ x, y }) => (
        <P key={`${x},${y}`} d={`M${x} ${y}L220 212`} stroke="brandLine" strokeWidth="2.5" />
      ))}
      <C cx="220" cy="212" r="80" fill="brandTint" />
      <P d="M178 196c-10 24-12 62 42 62s52-38 42-62c-6-13-18-20-24-24h-36c-6 4-18 11-24 24Z" fill="brand" />
      <P d="M200 172c-6-9-12-14-8-19 6-5 12 3 28 0 16 3 22-5 28 0 4 5-2 10-8 19Z" fill="brandDeep" />
      <P d="M196 173h48" stroke="white" {...line} />
      <P d="M209 236v-36l22 36v-36M203 213h34M203 223h34" stroke="white" {...line} strokeWidth="4" />
      {seats.map(({ x, y }, seat) => (
        <Sitter key={`${x},${y}`} x={x} y={y} face={`face${[1, 4, 3, 2, 8, 5][seat]}`} paid={seat !== 3} />
      ))}
    </Picture>
  );
}

/** A book whose every line is ticked. */
export function OpenBook() {
  return (
    <Picture box="0 0 160 120" width="9rem">
      <P
        d="M80 30C62 18 38 16 16 20v72c22-4 46-2 64 10 18-12 42-14 64-10V20c-22-4-46-2-64 10Z"
        fill="white"
        stroke="brand"
        {...line}
        fillOpacity="1"
      />
      <P d="M80 30v72" stroke="brand" {...line} />
      <P d="M30 40c12-1 24 0 36 5M30 56c12-1 24 0 36 5M30 72c12-1 24 0 36 5" stroke="brandLine" {...line} />
      <P d="m98 46 5 5 10-10M98 64l5 5 10-10M98 82l5 5 10-10" stroke="green" {...line} />
      <P d="M122 42h10M122 60h10M122 78h10" stroke="brandLine" {...line} />
    </Picture>
  );
}

/** A purse waiting for its first coin. */
export function Purse() {
  return (
    <Picture box="0 0 160 120" width="9rem">
      <C cx="80" cy="64" r="50" fill="brandTint" />
      <P
        d="M50 58c-8 18-9 44 30 44s38-26 30-44c-5-9-13-14-18-17H68c-5 3-13 8-18 17Z"
        fill="white"
        stroke="brand"
        {...line}
        fillOpacity="1"
      />
      <P d="M66 41c-4-7-9-10-6-14 5-3 9 2 20 0 11 2 15-3 20 0 3 4-2 7-6 14Z" fill="brand" />
      <P d="M73 86V62l14 24V62M69 71h22M69 78h22" stroke="brand" {...line} />
      <C cx="124" cy="24" r="11" fill="white" stroke="brand" strokeWidth="2.5" strokeDasharray="4 5" />
    </Picture>
  );
}

/** Two people and an empty place beside them. */
export function OpenSeat() {
  return (
    <Picture box="0 0 160 120" width="9rem">
      <g transform="translate(44 62) scale(.95)">
        <C r="30" fill="brandTint" />
        <P d="M-17 20c2-12 8-17 17-17s15 5 17 17a30 30 0 0 1-34 0Z" fill="face3" />
        <C cy="-8" r="9.500" fill="face3" />
      </g>
      <g transform="translate(116 62) scale(.95)">
        <C r="30" fill="none" stroke="brand" strokeWidth="2.5" strokeDasharray="5 6" />
        <P d="M0-10v20M-10 0h20" stroke="brand" {...line} />
      </g>
      <P d="M76 62h9" stroke="brandLine" {...line} />
    </Picture>
  );
}

/** A letter that has come. */
export function Letter() {
  return (
    <Picture box="0 0 160 120" width="9rem">
      <R x="24" y="30" width="112" height="72" rx="12" fill="white" stroke="brand" strokeWidth="2.500" />
      <P d="m28 38 44 34c5 4 11 4 16 0l44-34" stroke="brand" {...line} />
      <C cx="132" cy="32" r="15" fill="green" stroke="white" strokeWidth="3" />
      <P d="m125.500 32 4.500 4.500 8.500-9" stroke="white" {...line} />
    </Picture>
  );
}

/** A thread that got tangled. */
export function TangledThread() {
  return (
    <Picture box="0 0 160 120" width="9rem">
      <C cx="80" cy="60" r="48" fill="bg.muted" />
      <P d="M14 84c22 0 28-44 58-44s32 38 12 38-16-40 14-40 24 46 48 46" stroke="brand" {...line} />
      <C cx="14" cy="84" r="4.500" fill="brand" />
      <C cx="146" cy="84" r="4.500" fill="brand" />
    </Picture>
  );
}
