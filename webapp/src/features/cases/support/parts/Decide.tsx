import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { lengthOf, Words } from "@/features/cases/disputes";
import { moment } from "@/lib/dates";
import { resolveCaseLimits } from "@/lib/limits.gen";
import { useUnsaved } from "@/store/unsaved";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Choice } from "@/ui/form/Choice";
import { decideTexts as t } from "../texts";
import type { CaseDeeds } from "./useCaseDeeds";
import type { Named } from "./useNamed";

const { min: WORDS_MIN } = resolveCaseLimits.words;

type Which = "upheld" | "rejected";
const choices: Which[] = ["upheld", "rejected"];

/** The events that the outcome names. */
function Entries({ named, remove }: Pick<Named, "named" | "remove">) {
  return (
    <div>
      <chakra.h3 textStyle="label">{t.entries}</chakra.h3>
      {named.length === 0 ? (
        <chakra.p textStyle="small" color="fg.muted">
          {t.entriesNone}
        </chakra.p>
      ) : (
        <chakra.ul listStyleType="none">
          {named.map(({ eventId, title, recordedAt }) => (
            <chakra.li key={eventId} display="flex" alignItems="center" gap="3" data-named={eventId}>
              <chakra.span flex="1" minWidth="0" textStyle="body">
                {title}, {moment(recordedAt)}
              </chakra.span>
              <Button variant="ghost" aria-label={t.removeIt(title)} onClick={() => remove(eventId)}>
                {t.remove}
              </Button>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
    </div>
  );
}

/** How a case ends: for whom, in which words, and with which events of the ledger. */
export function Decide({ named, deeds }: { named: Named; deeds: CaseDeeds }) {
  const form = useForm<{ which?: Which; words: string }>({ defaultValues: { words: "" }, reValidateMode: "onSubmit" });
  const [asking, setAsking] = useState(false);
  const { which, words } = form.watch();
  useUnsaved(words.trim() !== "");
  const submit = useSubmit(form, { onReview: () => setAsking(true) });
  const ids = named.named.map(({ eventId }) => eventId);
  return (
    <Card title={t.title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="5" maxWidth="34rem">
          <chakra.p textStyle="body" color="fg.muted">
            {t.lead}
          </chakra.p>
          <Controller
            control={form.control}
            name="which"
            rules={{ validate: (chosen) => chosen !== undefined || t.whichFault }}
            render={({ field: { value, onChange }, fieldState: { error } }) => (
              <>
                <Choice
                  legend={t.which}
                  name="which"
                  value={value}
                  options={choices.map((one) => ({ value: one, ...t[one] }))}
                  onChange={onChange}
                />
                {error && !value && (
                  <Note tone="danger" live>
                    {error.message}
                  </Note>
                )}
              </>
            )}
          />
          <Controller
            control={form.control}
            name="words"
            rules={{ validate: (typed) => lengthOf(typed) >= WORDS_MIN || t.wordsFault }}
            render={({ field: { value, onChange }, fieldState: { error } }) => (
              <Words label={t.words} value={value} error={error?.message} onChange={onChange} />
            )}
          />
          <Entries {...named} />
          <Flex>
            <Button type="submit">{t.decide}</Button>
          </Flex>
        </Stack>
      </form>
      <Confirm
        open={asking}
        title={t.confirmTitle[which ?? "rejected"]}
        yes={t.decide}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={() => deeds.decide(which === "upheld", words.trim(), ids)}
      >
        <chakra.p color="fg" whiteSpace="pre-wrap" overflowWrap="anywhere" mb="3">
          {words.trim()}
        </chakra.p>
        {t.confirmText}
      </Confirm>
    </Card>
  );
}
