import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { lengthOf, Words } from "@/features/cases/disputes";
import { disputeWordsLimits } from "@/lib/limits.gen";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { caseTexts as t } from "../texts";

const { min: WORDS_MIN } = disputeWordsLimits.words;

interface AskProps {
  open: boolean;
  onClose: () => void;
  /** Whether it was sent: the question stays otherwise. */
  onAsk: (words: string) => Promise<boolean>;
}

/** A question to the member, which stops the clock. */
export function Ask({ open, onClose, onAsk }: AskProps) {
  const [words, setWords] = useState("");
  const [short, setShort] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setShort(lengthOf(words) < WORDS_MIN);
    if (lengthOf(words) < WORDS_MIN) return;
    setBusy(true);
    const done = await onAsk(words.trim());
    setBusy(false);
    if (!done) return;
    setWords("");
    onClose();
  };
  return (
    <Modal open={open} onClose={onClose} title={t.askTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.askLead}</chakra.p>
          <Words
            label={t.askLabel}
            value={words}
            error={short ? t.askFault : undefined}
            disabled={busy}
            onChange={setWords}
          />
          <Flex gap="3" wrap="wrap">
            <Button variant="outline" disabled={busy} onClick={onClose}>
              {t.no}
            </Button>
            <Button type="submit" loading={busy}>
              {t.askYes}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Modal>
  );
}
