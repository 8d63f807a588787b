import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { type CardFill, fillAjoCards } from "@/api/ajoCards";
import type { AjoCard } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";
import { formatKobo, formatNaira, toKobo } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoRoundSource } from "@/store/ajoSources";
import { useStore } from "@/store/store";
import { useAjoPayment } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { Checkbox } from "@/ui/form/Checkbox";
import { SelectField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { PayButton } from "@/ui/offline/PayButton";
import { ListSkeleton } from "@/ui/Skeletons";
import { roundTexts as t } from "../texts";

const AT_ONCE = 500;

const leftOf = ({ boxes, filled }: AjoCard) => boxes - filled;

/** How many boxes of each chosen card; a card that is gone or full is not chosen any more. */
function useChoice(cards: AjoCard[]) {
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const set = (id: string, boxes: number) =>
    setChosen(({ [id]: _before, ...others }) => (boxes > 0 ? { ...others, [id]: boxes } : others));
  const fills = cards
    .filter((card) => chosen[card.id] && leftOf(card) > 0)
    .slice(0, AT_ONCE)
    .map((card) => ({ card, boxes: Math.min(chosen[card.id] ?? 0, leftOf(card)) }));
  return {
    chosen,
    set,
    fills,
    kobo: fills.reduce((sum, { card, boxes }) => sum + toKobo(card.amount) * boxes, 0),
    all: () => setChosen(Object.fromEntries(cards.filter((card) => leftOf(card) > 0).map(({ id }) => [id, 1]))),
    clear: () => setChosen({}),
  };
}

type Choice = ReturnType<typeof useChoice>;

function Saver({ card, choice }: { card: AjoCard; choice: Choice }) {
  const { id, saver, name, amount } = card;
  const left = leftOf(card);
  const boxes = choice.chosen[id] ?? 0;
  const label = t.choose(saver, name);
  return (
    <chakra.li display="flex" alignItems="center" gap="3" py="2" flexWrap="wrap">
      <Checkbox label={label} checked={boxes > 0} onChange={() => choice.set(id, boxes > 0 || left === 0 ? 0 : 1)} />
      <Box flex="1 1 9rem" minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600">{saver}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {name} · {formatNaira(amount)} · {t.left(left)}
        </chakra.p>
      </Box>
      {boxes > 0 && (
        <Box width="7rem">
          <SelectField
            label={t.boxes(saver)}
            value={boxes}
            onChange={(event) => choice.set(id, Number(event.target.value))}
          >
            {Array.from({ length: left }, (_, at) => at + 1).map((many) => (
              <option key={many} value={many}>
                {many}
              </option>
            ))}
          </SelectField>
        </Box>
      )}
    </chakra.li>
  );
}

function Pay({ choice: { fills, kobo, clear } }: { choice: Choice }) {
  const userId = useStore((state) => state.session?.id ?? "");
  // Tomorrow's round is another one; this one stays what it is past midnight.
  const [day] = useState(() => lagosDay());
  const { sent, pay: send } = useAjoPayment(`round:${day}`, (key: string, cards: CardFill[]) =>
    fillAjoCards(key, cards, userId),
  );
  const [asking, setAsking] = useState(false);
  const pay = async () => {
    const done = await send(fills.map(({ card, boxes }) => ({ cardId: card.id, boxes })));
    if (done) clear();
    return done;
  };
  return (
    <>
      <OutcomeNote fault={undefined} sent={sent} />
      <Flex
        justify="space-between"
        align="center"
        gap="3"
        wrap="wrap"
        mt="4"
        pt="4"
        borderTopWidth="1px"
        borderColor="border"
      >
        <chakra.p role="status">
          {t.chosen(fills.length)} · {t.total} <b data-round-total>{formatKobo(kobo)}</b>
        </chakra.p>
        <PayButton size="lg" disabled={fills.length === 0 || sent.state === "unknown"} onClick={() => setAsking(true)}>
          {fills.length === 0 ? t.payNothing : t.pay(formatKobo(kobo))}
        </PayButton>
      </Flex>
      <Confirm
        open={asking}
        title={t.title2(formatKobo(kobo))}
        yes={t.pay(formatKobo(kobo))}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={pay}
      >
        {t.text(fills.length)}
      </Confirm>
    </>
  );
}

function Round({ cards }: { cards: AjoCard[] }) {
  const choice = useChoice(cards);
  return (
    <Card>
      <Flex gap="2" mb="2">
        <Button size="sm" variant="ghost" onClick={choice.all}>
          {t.all}
        </Button>
        <Button size="sm" variant="ghost" onClick={choice.clear}>
          {t.clear}
        </Button>
      </Flex>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
        {cards.map((card) => (
          <Saver key={card.id} card={card} choice={choice} />
        ))}
      </Stack>
      <Pay choice={choice} />
    </Card>
  );
}

/** The collector's round: choose savers, one Pay. */
export function AjoRound() {
  const { remote, load } = useRead(ajoRoundSource);
  return (
    <Box maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajoCards}>{t.back}</BackLink>
      <PageHead title={t.title} detail={t.lead} />
      <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
        {(cards) =>
          cards.length === 0 ? (
            <Card>
              <Empty picture={<OpenSeat />} title={t.noneTitle}>
                {t.none}
              </Empty>
            </Card>
          ) : (
            <Round cards={cards} />
          )
        }
      </Loaded>
    </Box>
  );
}
