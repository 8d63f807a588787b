import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { Link } from "react-router";
import type { AjoCard } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { ajoCardsSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { cardRecipe } from "@/theme/recipes";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Meter } from "@/ui/form/Meter";
import { BackLink } from "@/ui/frame";
import { PlusIcon } from "@/ui/icons";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/money/Naira";
import { CardsSkeleton } from "@/ui/Skeletons";
import { cardsTexts as t } from "../texts";

const CardLink = chakra("a", cardRecipe);
const tones = { OPEN: "brand", MATURED: "success", BROKEN: "neutral" } as const;

function Tile({ card }: { card: AjoCard }) {
  const { id, name, holds, filled, boxes, status, finishDate } = card;
  const words = t.filled(filled, boxes);
  return (
    <CardLink asChild display="flex" flexDirection="column" gap="4" _hover={{ borderColor: "border.brand" }}>
      <Link to={paths.ajoCard(id)} data-card={id}>
        <Flex justify="space-between" gap="3">
          <chakra.h2 textStyle="section" overflowWrap="anywhere">
            {name}
          </chakra.h2>
          <Badge tone={tones[status]}>{t.status[status]}</Badge>
        </Flex>
        <chakra.p textStyle="figure">
          <RollingNaira amount={holds} />
        </chakra.p>
        <Meter part={filled / boxes} label={words} />
        <chakra.p textStyle="small" color="fg.muted">
          {words} · {t.until(shortDay(finishDate))}
        </chakra.p>
      </Link>
    </CardLink>
  );
}

export function AjoCards() {
  const { remote, load } = useRead(ajoCardsSource);
  const create = (
    <LinkButton to={paths.newAjoCard} icon={<PlusIcon />}>
      {t.create}
    </LinkButton>
  );
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajoGroups}>{ajoWords.toGroups}</BackLink>
      <PageHead
        title={t.title}
        detail={t.lead}
        action={
          <>
            {create}
            <LinkButton to={paths.ajoRound} variant="outline">
              {t.round}
            </LinkButton>
          </>
        }
      />
      <Loaded remote={remote} skeleton={<CardsSkeleton />} onRetry={load}>
        {(cards) =>
          cards.length === 0 ? (
            <Card>
              <Empty picture={<Purse />} title={t.noneTitle} action={create}>
                {t.none}
              </Empty>
            </Card>
          ) : (
            <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
              {cards.map((card) => (
                <Tile key={card.id} card={card} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Box>
  );
}
