import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { lengthOf, Words } from "@/features/cases/disputes";
import { moment } from "@/lib/dates";
import { resolveCaseLimits } from "@/lib/limits.gen";
import { useUnsaved } from "@/store/unsaved";
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
  const [which, setWhich] = useState<Which>();
  const [words, setWords] = useState("");
  const [fault, setFault] = useState<{ which?: boolean; words?: boolean }>({});
  const [asking, setAsking] = useState(false);
  useUnsaved(words.trim() !== "");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = { which: !which, words: lengthOf(words) < WORDS_MIN };
    setFault(wrong);
    setAsking(!wrong.which && !wrong.words);
  };
  const ids = named.named.map(({ eventId }) => eventId);
  return (
    <Card title={t.title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="5" maxWidth="34rem">
          <chakra.p textStyle="body" color="fg.muted">
            {t.lead}
          </chakra.p>
          <Choice
            legend={t.which}
            name="which"
            value={which}
            options={choices.map((value) => ({ value, ...t[value] }))}
            onChange={setWhich}
          />
          {fault.which && !which && (
            <Note tone="danger" live>
              {t.whichFault}
            </Note>
          )}
          <Words label={t.words} value={words} error={fault.words ? t.wordsFault : undefined} onChange={setWords} />
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
