import { Box, chakra, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { forgetCard } from "@/api/payments";
import type { CardDetail } from "@/api/schema.gen";
import { told } from "@/store/reportMoney";
import { cardsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { CardIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { cardDetail, cardName } from "@/ui/money/CardChoice";
import { cardTexts as t } from "@/ui/money/texts";
import { ListSkeleton } from "@/ui/Skeletons";

function Row({ card, onForget }: { card: CardDetail; onForget: () => void }) {
  return (
    <chakra.li display="flex" alignItems="center" gap="3" py="3" borderTopWidth="1px" _first={{ borderTopWidth: "0" }}>
      <Flex boxSize="10" borderRadius="full" bg="bg.muted" align="center" justify="center" flexShrink="0">
        <CardIcon />
      </Flex>
      <Box flex="1" minWidth="0">
        <chakra.p textStyle="body" fontWeight="600">
          {cardName(card)}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {cardDetail(card)}
        </chakra.p>
      </Box>
      {card.id && (
        <Button variant="outline" size="sm" aria-label={t.forgetIt(cardName(card))} onClick={onForget}>
          {t.forget}
        </Button>
      )}
    </chakra.li>
  );
}

/** Cards that the member agreed to keep; each can be forgotten. */
export function Cards() {
  const { remote, load } = useRead(cardsSource);
  const [asked, setAsked] = useState<CardDetail>();
  const [open, setOpen] = useState(false);
  const forget = async () => {
    const done = await told(forgetCard(asked?.id ?? ""));
    if (done) await load();
    return Boolean(done);
  };
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={1} />} onRetry={load}>
        {(cards) =>
          cards.length === 0 ? (
            <chakra.p textStyle="body" color="fg.muted">
              {t.none}
            </chakra.p>
          ) : (
            <chakra.ul listStyleType="none">
              {cards.map((card) => (
                <Row
                  key={card.id ?? card.last4}
                  card={card}
                  onForget={() => {
                    setAsked(card);
                    setOpen(true);
                  }}
                />
              ))}
            </chakra.ul>
          )
        }
      </Loaded>
      <Confirm
        open={open}
        title={t.confirmTitle}
        yes={t.yes}
        no={t.no}
        danger
        onClose={() => setOpen(false)}
        onYes={forget}
      >
        {asked && t.confirm(cardName(asked))}
      </Confirm>
    </Card>
  );
}
