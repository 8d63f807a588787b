import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Ajo, AjoCycle } from "@/api/schema.gen";
import { moment, shortDay, weekday } from "@/lib/dates";
import { formatNaira, toKobo } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { CardBox } from "@/ui/Card";
import { CheckIcon } from "@/ui/icons";
import { Naira, RollingNaira } from "@/ui/money/Naira";
import { heroTexts as t } from "../texts";
import { Wheel } from "./Wheel";

/** The rems that an amount has in the middle of the wheel, and the width of a character in it. */
const MIDDLE_REM = 8;
const CHARACTER_EM = 0.56;

function Amount({ cycle: { collected, expected } }: { cycle: AjoCycle }) {
  const size = Math.min(1.5, MIDDLE_REM / (CHARACTER_EM * formatNaira(collected).length)).toFixed(2);
  return (
    <>
      <chakra.p fontWeight="650" fontSize={`${size}rem`} lineHeight="1.25" data-pot={toKobo(collected)}>
        <RollingNaira amount={collected} />
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {t.of} <Naira amount={expected} />
      </chakra.p>
    </>
  );
}

function Middle({ ajo: { status, members, memberCapacity } }: { ajo: Ajo }) {
  return (
    <chakra.p fontWeight="650" px="14">
      {status === "OPEN" ? ajoWords.seats(members.length, memberCapacity) : ajoWords.status[status]}
    </chakra.p>
  );
}

/** Who collects the pot that fills now, and how far it is. */
function Filling({ cycle }: { cycle: AjoCycle }) {
  const { collected, expected, missing, paidPlaces, places, names, due, deadline, chosenBy, isMine } = cycle;
  return (
    <>
      <chakra.h2 textStyle="section" overflowWrap="anywhere">
        {isMine && t.youCollect}
        {!isMine && (names ? t.collects(names) : chosenBy && t.toChoose(shortDay(chosenBy)))}
      </chakra.h2>
      <chakra.p role="status" textStyle="small" color="fg.muted">
        {t.progress(formatNaira(collected), formatNaira(expected))} · {t.paid(paidPlaces, places)}
        {missing > 0 && ` · ${t.missing(formatNaira(missing))}`}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {t.due(shortDay(due), shortDay(deadline))}
      </chakra.p>
    </>
  );
}

/** What there is to say while no pot fills: how the order comes about, or how it ended. */
function Still({ ajo: { status, seats, closing, drawn } }: { ajo: Ajo }) {
  const free = seats.filter((seat) => seat.status === "FREE" || seat.status === "HALF").length;
  const byDraw = status === "ORDERING" && closing && !drawn && !closing.proposed;
  return (
    <>
      <chakra.h2 textStyle="section">
        {status === "OPEN" ? t.free(free) : t.still[status]}
        {byDraw && ` ${t.drawAt(moment(closing.drawAt))}`}
      </chakra.h2>
      {byDraw && closing.source === "BEACON" && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.beacon}
        </chakra.p>
      )}
      {byDraw && closing.source === "PHONES" && closing.revealed !== undefined && <p>{t.revealed(closing.revealed)}</p>}
    </>
  );
}

/** When I collect, or that I have. */
function MyTurn({ cycles }: { cycles: AjoCycle[] }) {
  const mine = cycles.filter(({ isMine, status }) => isMine && status !== "PAST");
  const toCome = mine.filter(({ status }) => status !== "PAID");
  if (mine.length === 0) return null;
  return (
    <chakra.p fontWeight="650" data-my-turn>
      {toCome.length === 0
        ? t.haveCollected
        : t.yourTurn(toCome.map(({ cycle, due }) => t.turn(cycle, weekday(due))).join(" · "))}
    </chakra.p>
  );
}

/** What the page is about: the wheel with the pot in its middle, who collects it, and one's own turn. */
export function Hero({ ajo }: { ajo: Ajo }) {
  const now = ajo.currentAjoCyle;
  return (
    <CardBox data-hero>
      <Flex direction={{ base: "column", md: "row" }} align="center" gap={{ base: "3", md: "8" }}>
        <Wheel ajo={ajo} part={now && now.expected > 0 ? Math.min(1, now.collected / now.expected) : 0}>
          {now ? <Amount cycle={now} /> : <Middle ajo={ajo} />}
        </Wheel>
        <Stack gap="1.5" flex="1" width="full" minWidth="0">
          {now ? <Filling cycle={now} /> : <Still ajo={ajo} />}
          <MyTurn cycles={ajo.cycles} />
          {ajo.paymentDto?.isPaid && (
            <Flex align="center" gap="2" color="fg.success">
              <CheckIcon />
              <chakra.p color="fg">{t.havePaid}</chakra.p>
            </Flex>
          )}
        </Stack>
      </Flex>
    </CardBox>
  );
}
