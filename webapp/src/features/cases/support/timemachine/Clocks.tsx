import { chakra, SimpleGrid, Stack } from "@chakra-ui/react";
import type { ReplayStep } from "@/api/schema.gen";
import { apart, exactTime } from "@/lib/clocks";
import { shortDay } from "@/lib/dates";
import { Note } from "@/ui/bits";
import { machineTexts as t } from "../texts";

function Dial({ name, at, help, late }: { name: string; at: string; help: string; late: boolean }) {
  return (
    <chakra.div bg={late ? "bg.warning" : "bg.muted"} borderRadius="md" px={{ base: "3", md: "4" }} py="3" minWidth="0">
      <chakra.dt textStyle="label">{name}</chakra.dt>
      <chakra.dd>
        <chakra.span display="block" textStyle="figure" fontVariantNumeric="tabular-nums" data-clock={at}>
          {exactTime(at)}
        </chakra.span>
        <chakra.span display="block" textStyle="body" fontWeight="600">
          {shortDay(at)}
        </chakra.span>
        <chakra.span display="block" textStyle="small" color="fg.muted">
          {help}
        </chakra.span>
      </chakra.dd>
    </chakra.div>
  );
}

/** How the clocks differ, in words. */
function words({ recordedAt, effectiveAt, late }: ReplayStep): string {
  if (!late) return t.same;
  const span = apart(recordedAt, effectiveAt);
  return new Date(effectiveAt) < new Date(recordedAt) ? t.earlierBy(span) : t.laterBy(span);
}

/** When an event was recorded and when it counts from, side by side: where they differ is usually the answer. */
export function Clocks({ step }: { step: ReplayStep }) {
  const { recordedAt, effectiveAt, late } = step;
  return (
    <Stack gap="3">
      <SimpleGrid as="dl" aria-label={t.clocks} columns={2} gap="3">
        <Dial name={t.recorded} at={recordedAt} help={t.recordedHelp} late={late} />
        <Dial name={t.effective} at={effectiveAt} help={t.effectiveHelp} late={late} />
      </SimpleGrid>
      {late ? (
        <Note tone="warning">
          <strong data-apart>{words(step)}</strong>
        </Note>
      ) : (
        <chakra.p textStyle="small" color="fg.muted" data-apart>
          {words(step)}
        </chakra.p>
      )}
    </Stack>
  );
}
