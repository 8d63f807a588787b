import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { openBid, sealBid, voteNeed } from "@/api/ajoActs";
import type { Ajo, AjoCycle, AjoSeat } from "@/api/schema.gen";
import { keptBids, sealedBid } from "@/lib/draw/secrets";
import { formatNaira, parseAmount, toKobo, toNaira } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { amountFaults } from "@/lib/texts/money";
import { useStore } from "@/store/store";
import { useAjoActs } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { AmountField, SelectField } from "@/ui/form/fields";
import { chooseTexts as t } from "../texts";

interface Choosing {
  ajo: Ajo;
  cycle: AjoCycle;
}

const namesOf = ({ holders }: AjoSeat) => holders.map(({ name }) => name).join(", ");
const waits = ({ status }: AjoSeat) => status === "WAITING" || status === "TAKEN" || status === "CURRENT";

function Vote({ ajo: { id, seats, me }, cycle: { cycle } }: Choosing) {
  const { busy, act } = useAjoActs();
  const others = seats.filter((seat) => waits(seat) && !me.seats.includes(seat.seat));
  const form = useForm({ defaultValues: { seat: me.votedFor ?? others[0]?.seat ?? 0 } });
  const submit = useSubmit(form, {
    send: ({ seat }) => act(`vote:${id}:${cycle}`, (key) => voteNeed(key, id, cycle, seat), seat),
  });
  if (others.length === 0) return null;
  return (
    <Card title={t.voteTitle}>
      <form onSubmit={submit}>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.vote}</chakra.p>
          {me.votedFor !== undefined && <Note tone="success">{t.voted(me.votedFor)}</Note>}
          <SelectField label={t.voteFor} {...form.register("seat", { valueAsNumber: true })}>
            {others.map((seat) => (
              <option key={seat.seat} value={seat.seat}>
                {ajoWords.seat(seat.seat)} ({namesOf(seat)})
              </option>
            ))}
          </SelectField>
          <Flex>
            <Button type="submit" loading={busy !== undefined}>
              {t.voteDo}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Card>
  );
}

/** Why a bid could not be opened later, if it could not: while it is sealed nobody else can check it. */
function cannotBeOpened({ amount, memberCapacity, terms }: Ajo, kobo: number) {
  const step = toKobo(terms.bidStep);
  const most = Math.floor((toKobo(amount) * memberCapacity * Number(terms.bidPercent)) / 100);
  if (kobo % step === 0 && kobo <= most) return undefined;
  return t.bidFault(formatNaira(terms.bidStep), formatNaira(toNaira(most)));
}

function Bid({ ajo, cycle: { cycle } }: Choosing) {
  const { id, me, seats, terms } = ajo;
  const mine = seats.filter((seat) => waits(seat) && me.seats.includes(seat.seat));
  const { busy, act } = useAjoActs();
  const userId = useStore((state) => state.session?.id ?? "");
  const form = useForm({ defaultValues: { seat: mine[0]?.seat ?? 0, discount: "" } });
  const submit = useSubmit(form, {
    send: async ({ seat, discount }) => {
      const parsed = parseAmount(discount);
      if ("fault" in parsed) return undefined;
      const place = { ajoId: id, cycle, seat, userId };
      // A bid whose salt is not kept could never be opened.
      const commitment = await sealedBid(place, parsed.kobo).catch(() => undefined);
      if (commitment) return act(`bid:${id}:${cycle}:${seat}`, (key) => sealBid(key, place, commitment), commitment);
      form.setError("discount", { message: t.noRoom });
      return undefined;
    },
  });
  if (mine.length === 0) return null;
  const bidFault = (typed: string) => {
    const parsed = parseAmount(typed);
    return "fault" in parsed ? amountFaults[parsed.fault] : cannotBeOpened(ajo, parsed.kobo);
  };
  return (
    <Card title={t.bidTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.bid(`${terms.bidPercent}%`, formatNaira(terms.bidStep))}</chakra.p>
          {me.bidSealed && <Note tone="success">{t.bidSealed}</Note>}
          {mine.length > 1 && (
            <SelectField label={t.bidSeat} {...form.register("seat", { valueAsNumber: true })}>
              {mine.map((one) => (
                <option key={one.seat} value={one.seat}>
                  {ajoWords.seat(one.seat)}
                </option>
              ))}
            </SelectField>
          )}
          <AmountField
            label={t.bidAmount}
            placeholder="0.00"
            error={form.formState.errors.discount?.message}
            {...form.register("discount", { validate: bidFault })}
          />
          <Flex>
            <Button type="submit" loading={busy !== undefined}>
              {t.bidDo}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Card>
  );
}

/** A sentence with its buttons. */
type Frame = (props: { says: ReactNode; children?: ReactNode }) => ReactNode;

/** Opens the bids that this device keeps, once the due day is over. */
export function OpenBid({ ajo: { id, me }, cycle: { cycle }, frame: Frame }: Choosing & { frame: Frame }) {
  const { busy, act } = useAjoActs();
  const userId = useStore((state) => state.session?.id ?? "");
  const turns = me.seats
    .map((seat) => ({ ajoId: id, cycle, seat, userId }))
    .map((place) => ({ place, bids: keptBids(place) }))
    .filter(({ bids }) => bids.length > 0);
  const says = (
    <>
      <chakra.p fontWeight="650">{t.openTitle}</chakra.p>
      <p>{turns.length > 0 ? t.open : t.openLost}</p>
    </>
  );
  return (
    <Frame says={says}>
      {turns.map(({ place, bids }) => (
        <Button
          key={place.seat}
          loading={busy !== undefined}
          onClick={() => void act(`openBid:${id}:${cycle}:${place.seat}`, (key) => openBid(key, place, bids))}
        >
          {t.openDo}
        </Button>
      ))}
    </Frame>
  );
}

/** Who collects the current pot, where that is voted or bid. */
export function Choosing({ ajo }: { ajo: Ajo }) {
  const cycle = ajo.currentAjoCyle;
  if (!cycle || (ajo.status !== "ACTIVE" && ajo.status !== "PAUSED")) return null;
  if (ajo.me.mayBidReveal || !cycle.chosenBy) return null;
  if (ajo.order === "NEED") return <Vote ajo={ajo} cycle={cycle} />;
  return ajo.order === "BIDDING" ? <Bid ajo={ajo} cycle={cycle} /> : null;
}
