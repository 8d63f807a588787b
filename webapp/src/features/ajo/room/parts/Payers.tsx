import { Box, chakra, Stack } from "@chakra-ui/react";
import type { Ajo, AjoCycle, AjoHolder } from "@/api/schema.gen";
import { formatNaira, toKobo } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { Badge } from "@/ui/bits";
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
  const cover = !isMe && left > 0 && payable;
  const words = [
    ajoWords.seat(seat),
    cover && (paid > 0 ? t.part(formatNaira(paid), formatNaira(due)) : t.hasNot),
    owes > 0 && t.owes(formatNaira(owes)),
  ];
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="2" data-payer={userId}>
      <Box flex="1 1 10rem" minWidth="0">
        <Person id={userId} name={name} size="2rem" detail={words.filter(Boolean).join(" · ")} />
      </Box>
      {cover ? <Cover ajoId={ajo.id} cycle={cycle.cycle} seat={seat} holder={holder} /> : <Standing holder={holder} />}
    </chakra.li>
  );
}

/** Who has paid for the pot that fills now. */
export function Payers({ ajo, cycle }: { ajo: Ajo; cycle: AjoCycle }) {
  return (
    <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
      {ajo.seats.flatMap(({ seat, holders }) =>
        holders.map((holder) => (
          <Payer key={seat + holder.userId} ajo={ajo} cycle={cycle} seat={seat} holder={holder} />
        )),
      )}
    </Stack>
  );
}
