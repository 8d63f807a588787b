import { chakra } from "@chakra-ui/react";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { formatKobo, type Kobo, nairaParts, toKobo } from "@/lib/money";
import { figureTexts as t } from "./texts";

interface NairaProps {
  /** Naira, as the contract has it. */
  amount: number;
  /** Whether it came in or went out: said by a sign and a word as well as by colour. */
  direction?: "in" | "out";
}

const words = { in: "in", out: "out" };

function Figure({ kobo }: { kobo: Kobo }) {
  const { negative, whole, fraction } = nairaParts(kobo);
  return (
    <>
      {negative && "−"}₦{whole}
      <chakra.span fontSize="0.78em" letterSpacing="0">
        .{fraction}
      </chakra.span>
    </>
  );
}

/** Longer than this an amount is drawn smaller where the screen has no room for it. */
const LONG = 13;
/** How wide its characters are on average: digits more, commas and kobo less. */
const EM_PER_CHARACTER = 0.56;
/** How wide a sign and its word are beside the amount. */
const SIGN_EMS = 2;
/** The page's and the card's padding beside an amount on a phone. */
const EDGES = "5.5rem";

/** An amount that is too long for a small screen shrinks until it fits, and never breaks. */
function fitting(text: string, more = 0) {
  if (text.length <= LONG) return frame;
  const ems = (text.length * EM_PER_CHARACTER + more).toFixed(1);
  return { ...frame, fontSize: `min(1em, calc((100vw - ${EDGES}) / ${ems}))` };
}

const frame = { fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" } as const;

/** Whether amounts are hidden, because others may look at the screen. */
export const HiddenFigures = createContext(false);

const Hidden = () => (
  <chakra.span role="img" aria-label={t.hidden} data-hidden>
    ₦•••••
  </chakra.span>
);

/** Every amount on screen goes through here. */
export function Naira(props: NairaProps) {
  return useContext(HiddenFigures) ? <Hidden /> : <Shown {...props} />;
}

function Shown({ amount, direction }: NairaProps) {
  const kobo = toKobo(amount);
  if (!direction) {
    return (
      <chakra.span css={fitting(formatKobo(kobo))} data-naira={formatKobo(kobo)}>
        <Figure kobo={kobo} />
      </chakra.span>
    );
  }
  return (
    <chakra.span
      css={fitting(formatKobo(kobo), SIGN_EMS)}
      color={direction === "in" ? "fg.success" : "fg"}
      data-naira={formatKobo(kobo)}
    >
      {direction === "in" ? "+" : "−"}
      <Figure kobo={kobo} />
      <chakra.span fontSize="0.8125rem" letterSpacing="0" color="fg.muted" fontWeight="500" ps="1.5">
        {words[direction]}
      </chakra.span>
    </chakra.span>
  );
}

const ROLL_MS = 350;

function prefersStillness(): boolean {
  return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** The figure on its way to `target`; at once where motion is unwelcome or nothing was shown before. */
function useRolling(target: Kobo): Kobo {
  const [shown, setShown] = useState(target);
  const from = useRef(target);
  useEffect(() => {
    const start = from.current;
    if (start === target) return;
    if (prefersStillness()) {
      from.current = target;
      setShown(target);
      return;
    }
    const began = performance.now();
    let frameId = requestAnimationFrame(function step(now) {
      const part = Math.min(1, (now - began) / ROLL_MS);
      const eased = 1 - (1 - part) ** 3;
      from.current = part === 1 ? target : Math.round(start + (target - start) * eased);
      setShown(from.current);
      if (part < 1) frameId = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frameId);
  }, [target]);
  return shown;
}

const hidden = {
  position: "absolute",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clipPath: "inset(50%)",
} as const;

/** An amount that rolls to its new value; readers of screens hear only the value itself. */
export function RollingNaira({ amount }: { amount: number }) {
  return useContext(HiddenFigures) ? <Hidden /> : <Rolling amount={amount} />;
}

function Rolling({ amount }: { amount: number }) {
  const target = toKobo(amount);
  const shown = useRolling(target);
  return (
    <chakra.span css={fitting(formatKobo(target))} position="relative" data-naira={formatKobo(target)}>
      <span aria-hidden="true">
        <Figure kobo={shown} />
      </span>
      <chakra.span css={hidden}>{formatKobo(target)}</chakra.span>
    </chakra.span>
  );
}
