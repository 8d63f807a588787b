import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import { keepFile } from "@/lib/files";
import { readCheckpoint } from "@/lib/proof/note";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import type { Evidence } from "../device/store";
import { witnessTexts } from "../texts";

const t = witnessTexts.alarm;

const said = (note: string) => {
  const { size, text } = readCheckpoint(note) ?? {};
  return (
    <chakra.span fontFamily="mono" fontSize="xs" overflowWrap="anywhere">
      {size?.toLocaleString("en-NG")} · {text?.split("\n")[2]}
    </chakra.span>
  );
};

interface AlarmProps {
  evidence: Evidence;
  /** Stops watching; absent where this device does not watch. */
  onStop?: () => void;
}

/** The ledger does not continue what this device signed, or saw: what to do, and what shows it to others. */
export function Alarm({ evidence, onStop }: AlarmProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView?.({ block: "center" });
  }, []);
  const save = () => keepFile(new Blob([JSON.stringify(evidence, null, 2)], { type: "application/json" }), t.file);
  return (
    <Stack gap="4" ref={place} data-alarm>
      <Note tone="danger" title={t.title} live>
        {onStop ? t.text : t.sawText}
      </Note>
      <chakra.ol ps="5" listStyleType="decimal" display="flex" flexDirection="column" gap="1">
        <li>{t.doFirst}</li>
        <li>{t.doSecond}</li>
        <li>{onStop ? t.doThird : t.sawThird}</li>
      </chakra.ol>
      <Facts
        rows={[
          [onStop ? t.before : t.saw, said(evidence.before)],
          [t.shown, said(evidence.shown)],
        ]}
      />
      <Flex gap="3" wrap="wrap">
        <Button onClick={save}>{t.save}</Button>
        {onStop && (
          <Button variant="outline" onClick={onStop}>
            {t.stop}
          </Button>
        )}
      </Flex>
    </Stack>
  );
}
