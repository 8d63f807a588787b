import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { takeAjoPlace } from "@/api/ajos";
import type { AjoHolder, AjoInvitation, AjoSeat } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { useStore } from "@/store/store";
import { useAjoPayments } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { joinTexts as t } from "../texts";

interface PlacesProps {
  ajo: AjoInvitation;
  code: string;
  onTaken: () => void;
}

interface Place {
  seat: AjoSeat;
  holder: AjoHolder;
}

/** Places of people who leave, to be taken over at par. */
export function Places({ ajo, code, onTaken }: PlacesProps) {
  const email = useStore((state) => state.session?.email ?? "");
  const { act } = useAjoPayments();
  const [asked, setAsked] = useState<Place>();
  const places = ajo.openPlaces.flatMap((seat) => seat.holders.map((holder) => ({ seat, holder })));
  if (places.length === 0) return null;
  const take = async () => {
    if (!asked) return false;
    const { seat, holder } = asked;
    const price = seat.price ?? 0;
    const body = { seat: seat.seat, fromUserId: holder.userId, price, termsHash: ajo.termsHash, email };
    const about = `takePlace:${ajo.id}:${seat.seat}:${holder.userId}`;
    const done = await act(about, (key) => takeAjoPlace(key, ajo.id, code ? { ...body, code } : body), price);
    if (done) onTaken();
    return done !== undefined;
  };
  return (
    <Stack as="section" gap="3" aria-label={t.places}>
      <chakra.h2 textStyle="section">{t.places}</chakra.h2>
      {places.map(({ seat, holder }) => (
        <Stack
          key={`${seat.seat}${holder.userId}`}
          gap="2"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
          p="4"
        >
          <chakra.p fontWeight="600">{t.placeText(seat.seat, holder.name)}</chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {t.placePrice(formatNaira(seat.price ?? 0))} {ajo.deposit > 0 && t.placeDeposit}
          </chakra.p>
          <Button fullWidth onClick={() => setAsked({ seat, holder })}>
            {t.take(seat.seat)}
          </Button>
        </Stack>
      ))}
      <Confirm
        open={asked !== undefined}
        title={t.takeTitle(asked?.seat.seat ?? 0)}
        yes={t.takeYes}
        no={t.no}
        onClose={() => setAsked(undefined)}
        onYes={take}
      >
        {t.takeText(formatNaira(asked?.seat.price ?? 0))}
      </Confirm>
    </Stack>
  );
}
