import { Box, chakra, Stack } from "@chakra-ui/react";
import type { Ajo, AjoCycle, AjoHolder } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira, toKobo } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Meter } from "@/ui/form/Meter";
import { RollingNaira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { potTexts as t } from "../texts";
import { Cover } from "./Cover";

function Standing({ holder }: { holder: AjoHolder }) {
  const { due, paid, coveredBy } = holder;
  if (coveredBy) return <Badge tone="warning">{t.covered(coveredBy)}</Badge>;
  if (toKobo(paid) >= toKobo(due)) return <Badge tone="success">{t.hasPaid}</Badge>;
  return <Badge>{paid > 0 ? t.part(formatNaira(paid), formatNaira(due)) : t.hasNot}</Badge>;
}

function Payer({ ajo, cycle, seat, holder }: { ajo: Ajo; cycle: AjoCycle; seat: number; holder: AjoHolder }) {
  const { userId, name, isMe, owes, due, paid } = holder;
  const left = toKobo(due) - toKobo(paid);
  const payable = cycle.status === "COLLECTING" || cycle.status === "GRACE";
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="2" data-payer={userId}>
      <Box flex="1 1 10rem" minWidth="0">
        <Person
          id={userId}
          name={name}
          size="2rem"
          detail={`${ajoWords.seat(seat)}${owes > 0 ? ` · ${t.owes(formatNaira(owes))}` : ""}`}
        />
      </Box>
      <Standing holder={holder} />
      {!isMe && left > 0 && payable && <Cover ajoId={ajo.id} cycle={cycle.cycle} seat={seat} holder={holder} />}
    </chakra.li>
  );
}

function Figures({ cycle }: { cycle: AjoCycle }) {
  const { collected, expected, missing, paidPlaces, places, names, due, deadline, chosenBy } = cycle;
  const part = expected === 0 ? 0 : Math.min(1, collected / expected);
  return (
    <Stack gap="3">
      <chakra.p textStyle="hero" data-pot={toKobo(collected)}>
        <RollingNaira amount={collected} />
      </chakra.p>
      <Meter part={part} label={t.progress(formatNaira(collected), formatNaira(expected))} />
      <chakra.p role="status" color="fg.muted">
        {t.progress(formatNaira(collected), formatNaira(expected))} · {t.paid(paidPlaces, places)}
        {missing > 0 && ` · ${t.missing(formatNaira(missing))}`}
      </chakra.p>
      <p>
        {names ? t.of(names) : chosenBy && t.toChoose(shortDay(chosenBy))}. {t.due(shortDay(due), shortDay(deadline))}.
      </p>
    </Stack>
  );
}

/** The pot of the current cycle, as it fills, and who has paid. */
export function Pot({ ajo }: { ajo: Ajo }) {
  const cycle = ajo.currentAjoCyle;
  if (!cycle) return null;
  return (
    <Card title={`${t.title}: ${ajoWords.cycleNo(cycle.cycle)}`}>
      <Figures cycle={cycle} />
      <chakra.h3 textStyle="label" color="fg.muted" mt="5">
        {t.who}
      </chakra.h3>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
        {ajo.seats.flatMap(({ seat, holders }) =>
          holders.map((holder) => (
            <Payer key={seat + holder.userId} ajo={ajo} cycle={cycle} seat={seat} holder={holder} />
          )),
        )}
      </Stack>
    </Card>
  );
}
