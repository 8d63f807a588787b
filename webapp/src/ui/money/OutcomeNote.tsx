import { chakra } from "@chakra-ui/react";
import { moneyTexts } from "@/lib/texts/errors";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";

export interface Fault {
  text: string;
  /** The server refused: it is certain that nothing was taken. */
  certain: boolean;
}

interface OutcomeNoteProps {
  fault: Fault | undefined;
  checking: boolean;
  onAgain: () => void;
}

/** How a payment that did not succeed stands: refused for certain, or not known yet. */
export function OutcomeNote({ fault, checking, onAgain }: OutcomeNoteProps) {
  if (!fault) return null;
  if (fault.certain) {
    return (
      <Note tone="danger" title={fault.text} live>
        {!fault.text.includes(moneyTexts.notCharged) && moneyTexts.notCharged}
      </Note>
    );
  }
  return (
    <Note tone="warning" title={moneyTexts.unknownTitle} live>
      <p>{moneyTexts.unknown}</p>
      <chakra.div mt="3">
        <Button size="sm" loading={checking} onClick={onAgain}>
          {moneyTexts.checkAgain}
        </Button>
      </chakra.div>
    </Note>
  );
}
