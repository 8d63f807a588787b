import { chakra, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { Cosignature } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Note } from "@/ui/bits";
import { checkSeen, type Seen } from "../device/seen";
import { witnessTexts } from "../texts";

const t = witnessTexts.by;

export interface SeenByProps {
  /** The signed checkpoint that the record stands under. */
  checkpoint: string;
  position: number;
  groupId?: string;
}

function Row({ of: { by, name, size, at } }: { of: Cosignature }) {
  return (
    <chakra.li data-by={by} textStyle="body">
      <chakra.span fontWeight="600" overflowWrap="anywhere">
        {name ?? t[by]}
      </chakra.span>{" "}
      <chakra.span color="fg.muted">{t.saw(size, moment(at))}</chakra.span>
    </chakra.li>
  );
}

/** Who, beside the ledger itself, signed that they saw a record in it. */
export function SeenBy({ checkpoint, position, groupId }: SeenByProps) {
  const [seen, setSeen] = useState<Seen | "failed">();
  useEffect(() => {
    let shown = true;
    checkSeen(checkpoint, position, groupId).then(
      (answer) => shown && setSeen(answer),
      () => shown && setSeen("failed"),
    );
    return () => {
      shown = false;
    };
  }, [checkpoint, position, groupId]);
  if (seen === undefined || seen === "failed") {
    return (
      <chakra.p textStyle="small" color="fg.muted">
        {seen ? t.failed : t.checking}
      </chakra.p>
    );
  }
  const { witnesses, wrong } = seen;
  return (
    <Stack gap="2" data-witnesses={witnesses.length}>
      <chakra.p fontWeight="600">{witnesses.length > 0 ? t.count(witnesses.length) : t.none}</chakra.p>
      {witnesses.length > 0 && (
        <>
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
            {witnesses.map((one) => (
              <Row key={one.publicKey} of={one} />
            ))}
          </chakra.ul>
          <chakra.p textStyle="small" color="fg.muted">
            {t.help}
          </chakra.p>
        </>
      )}
      {wrong.length > 0 && (
        <Note tone="danger" live>
          {t.wrong(wrong.length)}
        </Note>
      )}
    </Stack>
  );
}
