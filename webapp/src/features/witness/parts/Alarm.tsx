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

/** The ledger does not continue what this device signed: what to do, and what shows it to others. */
export function Alarm({ evidence, onStop }: { evidence: Evidence; onStop: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView?.({ block: "center" });
  }, []);
  const save = () => keepFile(new Blob([JSON.stringify(evidence, null, 2)], { type: "application/json" }), t.file);
  return (
    <Stack gap="4" ref={place} data-alarm>
      <Note tone="danger" title={t.title} live>
        {t.text}
      </Note>
      <chakra.ol ps="5" listStyleType="decimal" display="flex" flexDirection="column" gap="1">
        <li>{t.doFirst}</li>
        <li>{t.doSecond}</li>
        <li>{t.doThird}</li>
      </chakra.ol>
      <Facts
        rows={[
          [t.before, said(evidence.before)],
          [t.shown, said(evidence.shown)],
        ]}
      />
      <Flex gap="3" wrap="wrap">
        <Button onClick={save}>{t.save}</Button>
        <Button variant="outline" onClick={onStop}>
          {t.stop}
        </Button>
      </Flex>
    </Stack>
  );
}
