import { Box, chakra, Stack } from "@chakra-ui/react";
import type { Ajo, AjoCycle, AjoSeat } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { screenTexts } from "@/lib/texts/common";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { wheelTexts as t } from "../texts";
import { Changes } from "./Order";
import { isOrdered } from "./Wheel";

const tones = {
  PAST: "neutral",
  UPCOMING: "neutral",
  COLLECTING: "brand",
  GRACE: "brand",
  READY: "warning",
  PAYOUT_REQUESTED: "warning",
  ON_HOLD: "warning",
  PAID: "success",
} as const;

function Turn({ cycle, current, next }: { cycle: AjoCycle; current: boolean; next: boolean }) {
  const { names, seat, due, status, isMine } = cycle;
  return (
    <chakra.li
      display="flex"
      alignItems="center"
      justifyContent="space-between"
      gap="3"
      py="2"
      minHeight="row"
      aria-current={current ? "step" : undefined}
      data-turn={cycle.cycle}
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight={current || isMine ? "650" : "500"}>
          {cycle.cycle}. {names || t.nobody}
          {isMine && ` (${t.mine})`}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {seat > 0 && `${ajoWords.seat(seat)} · `}
          {t.due(shortDay(due))}
        </chakra.p>
      </Box>
      <Badge tone={tones[status]}>{next ? t.next : ajoWords.cycle[status]}</Badge>
    </chakra.li>
  );
}

function Seat({ seat }: { seat: AjoSeat }) {
  const names = seat.holders.map(({ name, halves }) => (halves === 1 ? `${name} (½)` : name)).join(", ");
  return (
    <chakra.li display="flex" alignItems="center" justifyContent="space-between" gap="3" py="2.5" data-seat={seat.seat}>
      <Box minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600">{names || t.free}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {ajoWords.seat(seat.seat)}
          {seat.status === "HALF" && ` · ${t.halfFree}`}
          {seat.leaving && ` · ${t.leaving(moment(seat.leaving))}`}
        </chakra.p>
      </Box>
      <Badge tone={seat.status === "FREE" || seat.status === "HALF" ? "warning" : "neutral"}>
        {ajoWords.seatStatus[seat.status]}
      </Badge>
    </chakra.li>
  );
}

const list = {
  listStyleType: "none",
  gap: "0",
  divideY: "1px",
  divideColor: "border",
  flex: "1",
  minWidth: "0",
} as const;

/** Before the order is set: who holds which seat. */
function Seats({ ajo }: { ajo: Ajo }) {
  return (
    <Card title={t.seats}>
      <Stack as="ol" {...list}>
        {ajo.seats.map((seat) => (
          <Seat key={seat.seat} seat={seat} />
        ))}
      </Stack>
    </Card>
  );
}

/** Who collects when: collected, collects now, next. */
export function Turns({ ajo }: { ajo: Ajo }) {
  if (!isOrdered(ajo)) return <Seats ajo={ajo} />;
  const { id, cycles, currentAjoCyle: now } = ajo;
  const next = cycles.find(({ status }) => status === "UPCOMING")?.cycle;
  return (
    <Card
      title={t.title}
      action={
        <LinkButton variant="link" to={paths.newDispute({ ajo: id, cycle: now?.cycle })}>
          {screenTexts.wrong}
        </LinkButton>
      }
    >
      <Stack as="ol" aria-label={t.lead} {...list}>
        {cycles.map((cycle) => (
          <Turn key={cycle.cycle} cycle={cycle} current={cycle.cycle === now?.cycle} next={cycle.cycle === next} />
        ))}
      </Stack>
      <Changes ajo={ajo} />
    </Card>
  );
}
