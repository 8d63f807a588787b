import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { BankAnswer } from "@/api/schema.gen";
import { lengthOf, Words } from "@/features/cases/disputes";
import { moment } from "@/lib/dates";
import { giveBankAnswerLimits } from "@/lib/limits.gen";
import { formatNaira, parseAmount } from "@/lib/money";
import { amountFaults } from "@/lib/texts/money";
import { useUnsaved } from "@/store/unsaved";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { Choice } from "@/ui/form/Choice";
import { AmountField, SelectField } from "@/ui/form/fields";
import { bankTexts as t } from "../texts";
import type { BankDeeds } from "./useBankDeeds";

const { min: WORDS_MIN } = giveBankAnswerLimits.words;

type Which = "decline" | "accept";
const choices: Which[] = ["decline", "accept"];

interface Faults {
  which?: boolean;
  words?: boolean;
  amount?: string;
}

/** What the bank of a card is told: that the payment is right, or that its customer gets money back. */
export function AnswerForm({ answer, deeds }: { answer: BankAnswer; deeds: BankDeeds }) {
  const [which, setWhich] = useState<Which>();
  const [words, setWords] = useState("");
  const [amount, setAmount] = useState(String(answer.disputed));
  const [file, setFile] = useState(answer.facts.length === 0 ? (answer.files[0]?.id ?? "") : "");
  const [fault, setFault] = useState<Faults>({});
  const [asking, setAsking] = useState(false);
  const edited = words.trim() !== "" && words !== answer.draft;
  useUnsaved(edited);
  const choose = (value: Which) => {
    setWhich(value);
    if (!edited) setWords(value === "decline" ? answer.draft : "");
  };
  const accept = which === "accept";
  const parsed = parseAmount(amount);
  const naira = "kobo" in parsed ? parsed.kobo / 100 : 0;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong: Faults = {
      which: !which,
      words: lengthOf(words) < WORDS_MIN,
      amount: accept && "fault" in parsed ? amountFaults[parsed.fault] : undefined,
    };
    setFault(wrong);
    setAsking(!wrong.which && !wrong.words && !wrong.amount);
  };
  const give = () =>
    deeds.give(
      { accept, words: words.trim(), ...(accept ? { amount: naira } : {}), ...(file ? { file } : {}) },
      answer.answerId,
    );
  const confirm = t.confirm[which ?? "decline"];
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack gap="5" maxWidth="34rem">
          <Choice
            legend={t.which}
            name="bank"
            value={which}
            options={choices.map((value) => ({ value, ...t[value] }))}
            onChange={choose}
          />
          {fault.which && !which && (
            <Note tone="danger" live>
              {t.whichFault}
            </Note>
          )}
          {accept && (
            <AmountField
              label={t.amount}
              value={amount}
              error={fault.amount}
              onChange={(event) => setAmount(event.target.value)}
            />
          )}
          <Words
            label={t.words}
            help={t.wordsHelp}
            value={words}
            error={fault.words ? t.wordsFault : undefined}
            onChange={setWords}
          />
          <SelectField label={t.file} value={file} onChange={(event) => setFile(event.target.value)}>
            {answer.facts.length > 0 && <option value="">{t.receipt}</option>}
            {answer.files.map(({ id, at }) => (
              <option key={id} value={id}>
                {t.fileOf(moment(at))}
              </option>
            ))}
          </SelectField>
          <Flex>
            <Button type="submit">{t.send}</Button>
          </Flex>
        </Stack>
      </form>
      <Confirm
        open={asking}
        title={confirm.title}
        yes={confirm.yes}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={give}
      >
        <chakra.p color="fg" whiteSpace="pre-wrap" overflowWrap="anywhere" mb="3">
          {words.trim()}
        </chakra.p>
        {accept ? t.acceptText(formatNaira(naira)) : t.declineText(formatNaira(answer.disputed))}
      </Confirm>
    </>
  );
}
