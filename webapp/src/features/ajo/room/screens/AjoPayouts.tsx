import { Box, chakra, Stack } from "@chakra-ui/react";
import { useParams, useSearchParams } from "react-router";
import type { Ajo, AjoCycle } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { ajoSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { Card, PageHead } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { BackLink } from "@/ui/frame";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { Payout } from "../payouts/Payout";
import { payoutTexts as t } from "../texts";

const SHOWN = 3;
/** Nothing was or can be paid of these yet. */
const NOT_YET = ["PAST", "UPCOMING", "COLLECTING", "GRACE"];

/** The one that the address names first, then the newest. */
function inOrder({ cycles }: Ajo, wanted: number): AjoCycle[] {
  const open = cycles.filter(({ cycle, status }) => cycle === wanted || !NOT_YET.includes(status)).reverse();
  return [...open.filter(({ cycle }) => cycle === wanted), ...open.filter(({ cycle }) => cycle !== wanted)];
}

/** How each pot is paid: asked for, approved, refused, or by itself. */
export function AjoPayouts() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const { remote, load } = useRead(ajoSource(id));
  return (
    <Box maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajo(id)}>{t.back}</BackLink>
      <PageHead title={t.title} detail={t.lead} />
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(ajo) => {
          const cycles = inOrder(ajo, Number(query.get("cycle")));
          return cycles.length === 0 ? (
            <Card>
              <chakra.p color="fg.muted">{t.none}</chakra.p>
            </Card>
          ) : (
            <Stack gap="4">
              <CollapsibleList items={cycles} first={SHOWN} apart>
                {(cycle) => (
                  <Box key={cycle.cycle}>
                    <Payout ajoId={id} cycle={cycle} />
                  </Box>
                )}
              </CollapsibleList>
            </Stack>
          );
        }}
      </Loaded>
    </Box>
  );
}
