import { Box, chakra, Flex } from "@chakra-ui/react";
import type { Ajo, AjoCycle, AjoPayout } from "@/api/schema.gen";
import { formatNaira, toKobo } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { ajoPayoutSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { waitingPots } from "../next";
import { readyTexts as t } from "../texts";

/** What its holders really get: less the fee, their own due and what is set off. */
function gets({ mine, holders }: AjoPayout) {
  if (mine !== undefined) return t.youGet(formatNaira(mine));
  return holders.map(({ name, amount }) => t.gets(name, formatNaira(amount))).join(" · ");
}

function ReadyPot({ ajoId, pot }: { ajoId: string; pot: AjoCycle }) {
  const { cycle, names, collected, status, isMine } = pot;
  const { remote } = useRead(ajoPayoutSource(ajoId, cycle));
  return (
    <Flex
      align="center"
      justify="space-between"
      gap="3"
      py="2"
      minHeight="row"
      role="status"
      data-ready={cycle}
      data-pot={toKobo(collected)}
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="650">{isMine ? t.readyMine(cycle) : t.ready(cycle, names)}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {remote.state === "ready" ? gets(remote.value) : t.inPot(formatNaira(collected))} ·{" "}
          {status === "READY" ? t.unasked : ajoWords.cycle[status]}
        </chakra.p>
      </Box>
      <LinkButton to={paths.ajoPayouts(ajoId, cycle)} size="sm" variant="outline" aria-label={t.seePayout(cycle)}>
        {t.see}
      </LinkButton>
    </Flex>
  );
}

/** Pots that wait to be paid out, while the next one fills already. */
export function ReadyPots({ ajo }: { ajo: Ajo }) {
  const pots = waitingPots(ajo);
  if (pots.length === 0) return null;
  return (
    <CardBox minHeight="0" py="1" divideY="1px" divideColor="border">
      {pots.map((pot) => (
        <ReadyPot key={pot.cycle} ajoId={ajo.id} pot={pot} />
      ))}
    </CardBox>
  );
}
