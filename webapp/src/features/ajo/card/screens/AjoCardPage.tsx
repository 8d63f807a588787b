import { Box, chakra, Grid, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { AjoCard } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoCardSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { BackLink } from "@/ui/frame";
import { Loaded } from "@/ui/Loaded";
import { Naira, RollingNaira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { Boxes } from "../parts/Boxes";
import { Break } from "../parts/Break";
import { Collector } from "../parts/Collector";
import { Fill } from "../parts/Fill";
import { cardsTexts, cardTexts as t } from "../texts";

function Fills({ fills }: Pick<AjoCard, "fills">) {
  if (fills.length === 0) return <chakra.p color="fg.muted">{t.noFills}</chakra.p>;
  return (
    <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
      {fills.map(({ firstBox, boxes, amount, by, date }) => (
        <chakra.li key={firstBox} display="flex" justifyContent="space-between" gap="3" py="3" flexWrap="wrap">
          <Box>
            <chakra.p fontWeight="600">{t.fillLine(boxes, firstBox)}</chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {t.by(by, moment(date))}
            </chakra.p>
          </Box>
          <chakra.p fontWeight="600">
            <Naira amount={amount} />
          </chakra.p>
        </chakra.li>
      ))}
    </Stack>
  );
}

function Page({ card }: { card: AjoCard }) {
  const { name, description, status, holds, filled, boxes, amount, finishDate, isMine, saver, expected } = card;
  return (
    <>
      <PageHead title={name} detail={description || cardsTexts.filled(filled, boxes)} />
      <Grid
        templateColumns={{ base: "minmax(0, 1fr)", xl: "minmax(0, 1.4fr) minmax(0, 1fr)" }}
        gap="4"
        alignItems="start"
      >
        <Card title={t.boxes}>
          <Boxes card={card} />
          <chakra.p textStyle="small" color="fg.muted" mt="3" role="status">
            {cardsTexts.filled(filled, boxes)}. {status === "OPEN" && expected > filled && t.expected(expected)}
          </chakra.p>
          <Fill card={card} />
        </Card>
        <Stack gap="4">
          <Card title={cardsTexts.holds}>
            <chakra.p textStyle="hero" data-holds>
              <RollingNaira amount={holds} />
            </chakra.p>
            <Box mt="4">
              <Facts
                rows={[
                  [t.worth, formatNaira(amount)],
                  [t.ends, shortDay(finishDate)],
                  ...(isMine ? [] : [[t.saver, saver] as [string, string]]),
                ]}
              />
            </Box>
            {status !== "OPEN" && (
              <Box mt="4">
                <Note>{t.done[status]}</Note>
              </Box>
            )}
          </Card>
          {isMine && <Collector card={card} />}
          {isMine && <Break card={card} />}
        </Stack>
      </Grid>
      <Box mt="4">
        <Card title={t.fills}>
          <Fills fills={card.fills} />
        </Card>
      </Box>
    </>
  );
}

/** One card: its boxes, what it holds, and who fills it. */
export function AjoCardPage() {
  const { id = "" } = useParams();
  const { remote, load } = useRead(ajoCardSource(id));
  return (
    <Box>
      <title>{`Card · Adashi`}</title>
      <BackLink to={paths.ajoCards}>{cardsTexts.title}</BackLink>
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(card) => <Page card={card} />}
      </Loaded>
    </Box>
  );
}
