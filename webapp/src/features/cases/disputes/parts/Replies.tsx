import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { reopenDispute, withdrawDispute } from "@/api/disputes";
import type { Dispute } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { disputeWordsLimits } from "@/lib/limits.gen";
import { useUnsaved } from "@/store/unsaved";
import { useActs } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { disputeTexts as t } from "../texts";
import { Files } from "./Files";
import type { Ready } from "./useReady";
import { lengthOf, Words } from "./Words";

const { min: WORDS_MIN } = disputeWordsLimits.words;

interface SayProps {
  label: string;
  yes: string;
  variant?: "primary" | "outline";
  /** Whether it was taken. */
  onSay: (words: string) => Promise<boolean>;
}

/** A box to say something in; what was typed stays until it was taken. */
function Say({ label, yes, variant = "primary", onSay }: SayProps) {
  const form = useForm({ defaultValues: { words: "" }, reValidateMode: "onSubmit" });
  useUnsaved(form.watch("words").trim() !== "");
  const submit = useSubmit(form, {
    send: async ({ words }) => (await onSay(words.trim())) || undefined,
    onDone: () => form.reset(),
  });
  const { isSubmitting: busy } = form.formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="3">
        <Controller
          control={form.control}
          name="words"
          rules={{ validate: (words) => lengthOf(words) >= WORDS_MIN || t.shortFault }}
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Words label={label} value={value} rows={3} error={error?.message} disabled={busy} onChange={onChange} />
          )}
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
  const { act } = useActs(["disputes"]);
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

interface ReadyProps {
  ready: Ready;
  label: string;
  yes: string;
  /** Whether it has to be said in words, as an answer has. */
  inWords: boolean;
  /** Whether files can go with it. */
  files: boolean;
}

/** Words and files that go together; they are kept until then. */
function ReadyForm({ ready, label, yes, inWords, files }: ReadyProps) {
  const { draft, keeping, busy, change, changeFiles, send } = ready;
  const [fault, setFault] = useState<string>();
  const [sendingFile, setSendingFile] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const length = lengthOf(draft.words);
    const short = length < WORDS_MIN && (inWords || length > 0);
    const nothing = length === 0 && draft.files.length === 0;
    setFault(short ? t.shortFault : nothing ? t.nothingFault : undefined);
    if (!short && !nothing) await send();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="4">
        <Words
          label={label}
          value={draft.words}
          rows={3}
          error={fault}
          disabled={busy}
          onChange={(words) => change({ words })}
        />
        {files && <Files files={draft.files} onChange={changeFiles} onSending={setSendingFile} />}
        <Flex align="center" gap="4" wrap="wrap">
          <Button type="submit" variant={inWords ? "primary" : "outline"} loading={busy} disabled={sendingFile}>
            {yes}
          </Button>
          <chakra.p role="status" textStyle="small" color={keeping === "lost" ? "fg.danger" : "fg.muted"} flex="1">
            {t.keeping[keeping]}
          </chakra.p>
        </Flex>
      </Stack>
    </form>
  );
}

function Answer({ dispute, ready }: { dispute: Dispute; ready: Ready }) {
  const asked = dispute.steps.findLast(({ kind }) => kind === "ASKED");
  return (
    <Card title={t.answerTitle}>
      <Stack gap="4" data-asked>
        {asked?.words && (
          <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere" bg="bg.warning" borderRadius="md" px="4" py="3">
            {asked.words}
          </chakra.p>
        )}
        <ReadyForm ready={ready} label={t.answer} yes={t.answerSend} inWords files={dispute.mayAdd} />
      </Stack>
    </Card>
  );
}

function Add({ ready }: { ready: Ready }) {
  return (
    <Card title={t.addTitle}>
      <Stack gap="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.addLead}
        </chakra.p>
        <ReadyForm ready={ready} label={t.add} yes={t.addSend} inWords={false} files />
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
