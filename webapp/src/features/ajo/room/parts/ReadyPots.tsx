import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { Ajo } from "@/api/schema.gen";
import { formatNaira, toKobo } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { potTexts as t } from "../texts";

const READY = ["READY", "PAYOUT_REQUESTED", "ON_HOLD"];

/** Pots that wait to be paid out, while the next one fills already. */
export function ReadyPots({ ajo: { id, cycles } }: { ajo: Ajo }) {
  const ready = cycles.filter(({ status }) => READY.includes(status));
  if (ready.length === 0) return null;
  return (
    <Stack gap="2">
      {ready.map(({ cycle, names, collected, status, isMine }) => (
        <Box key={cycle} data-ready={cycle} data-pot={toKobo(collected)}>
          <Note tone="success" title={isMine ? t.readyMine(cycle) : t.ready(cycle, names)} live>
            <chakra.p>
              {formatNaira(collected)} · {ajoWords.cycle[status]}
            </chakra.p>
            <Flex mt="2">
              <LinkButton to={paths.ajoPayouts(id, cycle)} size="sm" variant="outline">
                {t.payout}
              </LinkButton>
            </Flex>
          </Note>
        </Box>
      ))}
    </Stack>
  );
}
