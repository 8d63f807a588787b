import { chakra, Flex } from "@chakra-ui/react";
import { moneyTexts as t } from "@/lib/texts/errors";
import { outcomeTexts } from "@/lib/texts/outcome";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";

export interface Fault {
  text: string;
  /** The server refused: it is certain that nothing was taken. */
  certain: boolean;
  /** Only a question failed: nothing is said of money, and there is nothing to check. */
  asked?: boolean;
}

/** How far the sending is, as useCommand has it. */
export interface Sent {
  state: "ready" | "sending" | "unknown";
  checking: boolean;
  open: boolean;
  again: () => void;
  pass: (() => void) | undefined;
}

/** Nobody knows yet how it went: it is asked about, and nothing is claimed. */
function Unknown({ checking, again, pass }: Sent) {
  return (
    <Note tone="warning" title={t.unknownTitle} live>
      <p>{t.unknown}</p>
      {pass && <chakra.p mt="2">{outcomeTexts.passText}</chakra.p>}
      <Flex mt="3" gap="2" wrap="wrap">
        <Button size="sm" loading={checking} onClick={again}>
          {t.checkAgain}
        </Button>
        {pass && (
          <Button size="sm" variant="outline" disabled={checking} onClick={pass}>
            {outcomeTexts.pass}
          </Button>
        )}
      </Flex>
    </Note>
  );
}

/** A try of an earlier page or another tab: the app is asking about it. `fault` says why nothing was sent meanwhile. */
function Earlier({ fault, pass }: { fault: Fault | undefined; pass: Sent["pass"] }) {
  return (
    <Note tone="warning" title={outcomeTexts.title} live={fault !== undefined}>
      <p>{fault?.text ?? outcomeTexts.text}</p>
      {pass && (
        <Flex mt="3">
          <Button size="sm" variant="outline" onClick={pass}>
            {outcomeTexts.pass}
          </Button>
        </Flex>
      )}
    </Note>
  );
}

interface OutcomeNoteProps {
  fault: Fault | undefined;
  sent: Sent;
}

/** How a payment that did not succeed stands: refused for certain, or not known yet. */
export function OutcomeNote({ fault, sent }: OutcomeNoteProps) {
  if (sent.state === "unknown") return <Unknown {...sent} />;
  if (fault?.certain || fault?.asked) {
    return (
      <Note tone="danger" title={fault.text} live>
        {!fault.asked && !fault.text.includes(t.notCharged) && t.notCharged}
      </Note>
    );
  }
  return sent.open && sent.state === "ready" ? <Earlier fault={fault} pass={sent.pass} /> : null;
}
