import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { previewCorrection } from "@/api/corrections";
import type {
  Case,
  CorrectionOfLab,
  CorrectionPreview,
  CorrectionStep,
  PreviewCorrectionRequest,
} from "@/api/schema.gen";
import { lengthOf, Words } from "@/features/cases/disputes";
import { proposeCorrectionLimits } from "@/lib/limits.gen";
import { told } from "@/store/reportMoney";
import { useUnsaved } from "@/store/unsaved";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { TextField } from "@/ui/form/fields";
import { proposeTexts as t } from "../texts";
import { AddStep, type NamedEvent } from "./AddStep";
import { Effects } from "./Effects";
import { OfLab } from "./OfLab";
import type { PlanDeeds } from "./usePlanDeeds";

const { min: WORDS_MIN } = proposeCorrectionLimits.words;

/** What somebody types is Lagos time, which is an hour ahead of UTC all the year. */
const instant = (local: string) => (local ? new Date(`${local}+01:00`).toISOString() : undefined);

/** A moment as the field has it. */
const local = (moment = "") => (moment ? new Date(Date.parse(moment) + 3_600_000).toISOString().slice(0, 19) : "");

/** A step as it is sent: its words are for people. */
const sent = ({ words: _, ...step }: CorrectionStep): CorrectionStep => step;

interface StepsProps {
  steps: CorrectionStep[];
  onRemove: (at: number) => void;
}

function Steps({ steps, onRemove }: StepsProps) {
  if (steps.length === 0) return null;
  return (
    <div>
      <chakra.h3 textStyle="label">{t.steps}</chakra.h3>
      <chakra.ol listStyleType="none">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be the same; they are told apart by their place
          <chakra.li key={at} display="flex" alignItems="center" gap="3" textStyle="body">
            <chakra.span flex="1" minWidth="0">
              {at + 1}. {step.words}
            </chakra.span>
            <Button variant="ghost" aria-label={t.removeIt(step.words ?? "")} onClick={() => onRemove(at)}>
              {t.remove}
            </Button>
          </chakra.li>
        ))}
      </chakra.ol>
    </div>
  );
}

interface ProposeProps {
  kase: Case;
  named: NamedEvent[];
  penalties?: CorrectionStep[];
  /** What a lab makes of itself, to begin with. */
  draft?: CorrectionOfLab;
  deeds: PlanDeeds;
}

/** Puts a correction together, shows what it would do, and proposes it. */
export function Propose({ kase, named, penalties, draft, deeds }: ProposeProps) {
  const [steps, setSteps] = useState(draft?.steps ?? []);
  const began = local(draft?.countsFrom);
  const [from, setFrom] = useState(began);
  const [changed, setChanged] = useState(false);
  const [previewed, setPreviewed] = useState<{ of: string; would?: CorrectionPreview }>();
  const [words, setWords] = useState("");
  const [short, setShort] = useState(false);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  useUnsaved(steps.length > 0);
  const form: PreviewCorrectionRequest = {
    countsFrom: from === began ? draft?.countsFrom : instant(from),
    steps: steps.map(sent),
  };
  // A preview belongs to the form for which it was asked: the form may change while it is on its way.
  const of = JSON.stringify(form);
  const ofDraft = !changed && draft?.steps.length ? draft : undefined;
  const would = previewed?.of === of ? previewed.would : ofDraft;
  const change = (next: CorrectionStep[]) => {
    setSteps(next);
    setChanged(true);
  };
  const add = <AddStep kase={kase} named={named} penalties={penalties} onAdd={(step) => change([...steps, step])} />;
  const preview = async () => {
    setBusy(true);
    const done = await told(previewCorrection(kase.id, form));
    setBusy(false);
    setPreviewed({ of, would: done?.value });
  };
  const ask = () => {
    setShort(lengthOf(words) < WORDS_MIN);
    setAsking(lengthOf(words) >= WORDS_MIN);
  };
  return (
    <Stack gap="5" maxWidth="34rem">
      {draft && <OfLab draft={draft} changed={changed} />}
      {!draft && add}
      <Steps steps={steps} onRemove={(at) => change(steps.filter((_, index) => index !== at))} />
      {draft && (
        <chakra.details>
          <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
            {t.another}
          </chakra.summary>
          {add}
        </chakra.details>
      )}
      {steps.length > 0 && (
        <>
          <TextField
            label={t.countsFrom}
            help={t.countsFromHelp}
            type="datetime-local"
            value={from}
            onChange={(event) => {
              setFrom(event.target.value);
              setChanged(true);
            }}
          />
          <Flex>
            <Button variant="outline" loading={busy} onClick={preview}>
              {t.preview}
            </Button>
          </Flex>
        </>
      )}
      {would && <Effects events={would.events} refused={would.refused} />}
      {would && !would.refused && (
        <>
          <Words label={t.words} value={words} error={short ? t.wordsFault : undefined} onChange={setWords} />
          <Flex>
            <Button onClick={ask}>{t.propose}</Button>
          </Flex>
        </>
      )}
      <Confirm
        open={asking}
        title={t.proposeTitle}
        yes={t.propose}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={() => deeds.propose(form, words.trim())}
      >
        {t.proposeText}
      </Confirm>
    </Stack>
  );
}
