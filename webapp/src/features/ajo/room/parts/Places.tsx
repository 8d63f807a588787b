import { Box, chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { consentToAjo, openPlace } from "@/api/ajoActs";
import type { Ajo, AjoSeat } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Switch } from "@/ui/form/fields";
import { placeTexts as t } from "../texts";

function Place({ ajo: { id, status }, seat }: { ajo: Ajo; seat: AjoSeat }) {
  const { busy, act } = useAjoActs();
  const [asking, setAsking] = useState(false);
  const halves = seat.holders.find(({ isMe }) => isMe)?.halves ?? 0;
  const say = (keep: boolean) => act(`place:${id}:${seat.seat}`, (key) => openPlace(key, id, seat.seat, keep), keep);
  const mayGive = status === "ORDERING" || status === "ACTIVE" || status === "PAUSED";
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="3" data-my-seat={seat.seat}>
      <Box flex="1 1 10rem" minWidth="0">
        <chakra.p fontWeight="600">{t.seat(seat.seat, ajoWords.hands(halves))}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {ajoWords.seatStatus[seat.status]}
          {seat.leaving && ` · ${t.leaving(moment(seat.leaving))}`}
          {seat.leaving && seat.price !== undefined && ` · ${t.price(formatNaira(seat.price))}`}
        </chakra.p>
      </Box>
      {seat.leaving ? (
        <Button
          variant="outline"
          loading={busy !== undefined}
          aria-label={t.keepIt(seat.seat)}
          onClick={() => void say(true)}
        >
          {t.keep}
        </Button>
      ) : (
        mayGive &&
        seat.status !== "COLLECTED" && (
          <Button variant="ghost" aria-label={t.giveIt(seat.seat)} onClick={() => setAsking(true)}>
            {t.give}
          </Button>
        )
      )}
      <Confirm
        open={asking}
        title={t.giveTitle(seat.seat)}
        yes={t.giveYes}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={async () => (await say(false)) !== undefined}
      >
        {t.giveText}
      </Confirm>
    </chakra.li>
  );
}

/** What Adashi may take by itself. */
function Consents({ ajo: { id, me } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const consent = (dues: boolean, sweep: boolean) =>
    act(`consent:${id}`, (key) => consentToAjo(key, id, { dues, sweep }), { dues, sweep });
  return (
    <Stack gap="2" mt="4">
      <chakra.h3 textStyle="label" color="fg.muted">
        {t.consents}
      </chakra.h3>
      <Switch
        label={t.dues}
        help={t.duesHelp}
        checked={me.consentDues}
        disabled={busy !== undefined}
        onChange={() => void consent(!me.consentDues, me.consentSweep)}
      />
      <Switch
        label={t.sweep}
        help={t.sweepHelp}
        checked={me.consentSweep}
        disabled={busy !== undefined}
        onChange={() => void consent(me.consentDues, !me.consentSweep)}
      />
    </Stack>
  );
}

const OVER: Ajo["status"][] = ["COMPLETED", "CANCELLED", "TERMINATED"];

/** One's own seats, and what one consents to. */
export function Places({ ajo }: { ajo: Ajo }) {
  const mine = ajo.seats.filter(({ seat }) => ajo.me.seats.includes(seat));
  const over = OVER.includes(ajo.status) || mine.length === 0;
  const consents = ajo.me.consentDues || ajo.me.consentSweep;
  if (mine.length === 0 && !consents) return null;
  return (
    <Card title={t.title}>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
        {mine.map((seat) => (
          <Place key={seat.seat} ajo={ajo} seat={seat} />
        ))}
      </Stack>
      {(!over || consents) && <Consents ajo={ajo} />}
    </Card>
  );
}
