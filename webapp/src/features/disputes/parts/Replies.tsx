import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { addEvidence, answerDispute, reopenDispute, withdrawDispute } from "@/api/disputes";
import type { Dispute } from "@/api/types";
import { moment } from "@/lib/dates";
import { useUnsaved } from "@/store/unsaved";
import { useDeeds } from "@/store/useDeeds";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { disputeTexts as t } from "../texts";
import { SendFile } from "./Files";
import { lengthOf, Words } from "./Words";

const WORDS_MIN = 3;

interface SayProps {
  label: string;
  yes: string;
  variant?: "primary" | "outline";
  /** Whether it was taken. */
  onSay: (words: string) => Promise<boolean>;
}

/** A box to say something in; what was typed stays until it was taken. */
function Say({ label, yes, variant = "primary", onSay }: SayProps) {
  const [words, setWords] = useState("");
  const [short, setShort] = useState(false);
  const [busy, setBusy] = useState(false);
  useUnsaved(words.trim() !== "");
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const few = lengthOf(words) < WORDS_MIN;
    setShort(few);
    if (few) return;
    setBusy(true);
    if (await onSay(words.trim())) setWords("");
    setBusy(false);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="3">
        <Words
          label={label}
          value={words}
          rows={3}
          error={short ? t.shortFault : undefined}
          disabled={busy}
          onChange={setWords}
        />
        <Flex>
          <Button type="submit" variant={variant} loading={busy}>
            {yes}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

interface RepliesProps {
  dispute: Dispute;
  onChanged: (now: Dispute) => void;
}

/** Does something in a dispute; whether it was done. */
function useReplies({ dispute, onChanged }: RepliesProps) {
  const { act } = useDeeds(["disputes"]);
  return async (deed: string, send: Parameters<typeof act<Dispute>>[1]) => {
    const done = await act(`${deed}:${dispute.id}`, send);
    if (done) onChanged(done.value);
    return done !== undefined;
  };
}

function Withdraw(props: RepliesProps) {
  const [asking, setAsking] = useState(false);
  const reply = useReplies(props);
  const { id } = props.dispute;
  return (
    <Flex justify="center">
      <Button variant="link" onClick={() => setAsking(true)}>
        {t.withdraw}
      </Button>
      <Confirm
        open={asking}
        title={t.withdrawTitle}
        yes={t.withdrawYes}
        no={t.keep}
        danger
        onClose={() => setAsking(false)}
        onYes={() => reply("withdraw", (key) => withdrawDispute(key, id))}
      >
        {t.withdrawText}
      </Confirm>
    </Flex>
  );
}

function Answer(props: RepliesProps) {
  const reply = useReplies(props);
  const { id, steps } = props.dispute;
  const asked = steps.findLast(({ kind }) => kind === "ASKED");
  return (
    <Card title={t.answerTitle}>
      <Stack gap="4" data-asked>
        {asked?.words && (
          <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere" bg="bg.warning" borderRadius="md" px="4" py="3">
            {asked.words}
          </chakra.p>
        )}
        <Say
          label={t.answer}
          yes={t.answerSend}
          onSay={(words) => reply(`answer:${words}`, (key) => answerDispute(key, id, words))}
        />
      </Stack>
    </Card>
  );
}

function Add(props: RepliesProps) {
  const reply = useReplies(props);
  const { id, mayAnswer } = props.dispute;
  return (
    <Card title={t.addTitle}>
      <Stack gap="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.addLead}
        </chakra.p>
        {!mayAnswer && (
          <Say
            label={t.add}
            yes={t.addSend}
            variant="outline"
            onSay={(words) => reply(`add:${words}`, (key) => addEvidence(key, id, { words }))}
          />
        )}
        <SendFile onSent={(sent) => reply(`add:${sent.id}`, (key) => addEvidence(key, id, { fileId: sent.id }))} />
      </Stack>
    </Card>
  );
}

function Reopen(props: RepliesProps) {
  const reply = useReplies(props);
  const { id, reopenUntil } = props.dispute;
  return (
    <Card title={t.reopenTitle}>
      <Stack gap="4">
        {reopenUntil && <p>{t.reopenLead(moment(reopenUntil))}</p>}
        <Say
          label={t.reopen}
          yes={t.reopenSend}
          variant="outline"
          onSay={(words) => reply(`reopen:${words}`, (key) => reopenDispute(key, id, words))}
        />
      </Stack>
    </Card>
  );
}

/** What the member may do now. */
export const replies = { Answer, Add, Reopen, Withdraw };
