import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { readQuestionPaper, sayOfQuestion } from "@/api/questions";
import type { Question as Asked } from "@/api/schema.gen";
import { Paper, SendFile } from "@/features/cases/disputes";
import { moment } from "@/lib/dates";
import { questionSayLimits } from "@/lib/limits.gen";
import { paths } from "@/lib/paths";
import { questionSource } from "@/store/questionSources";
import { useUnsaved } from "@/store/unsaved";
import { useActs } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { LongField } from "@/ui/form/fields";
import { questionTexts as t } from "../texts";

function Messages({ question }: { question: Asked }) {
  return (
    <chakra.ol listStyleType="none" display="grid" gap="3">
      {question.messages.map(({ position, by, at, words, file }) => (
        <chakra.li key={position} bg={by === "MEMBER" ? "bg.brand" : "bg.muted"} borderRadius="md" px="4" py="3">
          <chakra.p textStyle="small" color="fg.muted">
            {by === "MEMBER" && question.side === "MEMBER" ? t.you : t.by[by]} · {moment(at)}
          </chakra.p>
          {file ? (
            <Paper paper={file} at={at} name={t.file} read={(paper) => readQuestionPaper(question.paymentId, paper)} />
          ) : (
            <chakra.p textStyle="body" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {words ?? t.erased}
            </chakra.p>
          )}
        </chakra.li>
      ))}
    </chakra.ol>
  );
}

const FILES_MAX = 5;
const { min: WORDS_MIN, max: WORDS_MAX } = questionSayLimits.words;

const filesOf = ({ messages }: Asked) => messages.filter(({ file }) => file).length;

/** A box to answer or ask in; what was typed stays until it was taken. */
function Say({ question, onSaid }: { question: Asked; onSaid: () => unknown }) {
  const { paymentId: id, messages } = question;
  const side = question.side === "MEMBER" ? "MEMBER" : "AUDITOR";
  const form = useForm({ defaultValues: { words: "" }, reValidateMode: "onSubmit" });
  const { busy, act } = useActs(["activity"]);
  useUnsaved(form.watch("words").trim() !== "");
  const submit = useSubmit(form, {
    // The same words said again later are another message.
    send: ({ words }) =>
      act(`question:${id}:${messages.length}:${words.trim()}`, (key) =>
        sayOfQuestion(key, id, { words: words.trim() }),
      ),
    onDone: () => {
      form.reset();
      onSaid();
    },
  });
  const add = async (fileId: string) => {
    if (await act(`question:${id}:file:${fileId}`, (key) => sayOfQuestion(key, id, { fileId }))) onSaid();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="3">
        <LongField
          label={t.label[side]}
          rows={3}
          maxLength={WORDS_MAX}
          error={form.formState.errors.words?.message}
          disabled={busy !== undefined}
          {...form.register("words", { validate: (words) => [...words.trim()].length >= WORDS_MIN || t.short })}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <Flex gap="3" wrap="wrap">
          <Button type="submit" loading={busy !== undefined}>
            {t.send[side]}
          </Button>
          {side === "MEMBER" && filesOf(question) < FILES_MAX && (
            <SendFile disabled={busy !== undefined} onSent={({ id: fileId }) => add(fileId)} />
          )}
        </Flex>
      </Stack>
    </form>
  );
}

/** What was asked and answered about a queried payment, for who may read it; nothing for others. */
export function Question({ id }: { id: string }) {
  const { remote, load } = useRead(questionSource(id));
  if (remote.state !== "ready") return null;
  const question = remote.value;
  const { mayWrite, mayDispute, mark, days } = question;
  return (
    <Card title={t.title}>
      <Stack gap="4" data-question={id}>
        {mark === "QUERIED" && days > 0 && (
          <chakra.p textStyle="small" color="fg.muted">
            {t.age(days)}
          </chakra.p>
        )}
        <Messages question={question} />
        {mark === "RESOLVED" && <Note tone="success">{t.resolved}</Note>}
        {mayWrite && <Say question={question} onSaid={load} />}
        {mayDispute && (
          <Note tone="warning">
            <p>{t.disputeLead}</p>
            <LinkButton variant="outline" to={paths.newDispute({ movement: id })}>
              {t.dispute}
            </LinkButton>
          </Note>
        )}
      </Stack>
    </Card>
  );
}
