import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Case, CorrectionStep } from "@/api/schema.gen";
import { formatNaira, parseAmount } from "@/lib/money";
import { amountFaults } from "@/lib/texts/money";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Choice } from "@/ui/form/Choice";
import { AmountField, SelectField } from "@/ui/form/fields";
import { proposeTexts as t } from "../texts";

type Kind = CorrectionStep["kind"];
const kinds: Kind[] = ["ASSIGN", "PAY_DUE", "REVERSE", "WAIVE", "ADJUST"];

/** An event that was named in the time machine. */
export interface NamedEvent {
  eventId: string;
  title: string;
}

interface AddStepProps {
  kase: Case;
  named: NamedEvent[];
  /** What could be waived. */
  penalties?: CorrectionStep[];
  onAdd: (step: CorrectionStep) => void;
}

interface FieldsProps extends AddStepProps {
  kind: Kind;
}

/** What of its kind a step can be about. */
function choicesOf({ kind, kase, named, penalties = [] }: Omit<FieldsProps, "onAdd">) {
  switch (kind) {
    case "ASSIGN":
      return (kase.found ?? []).flatMap(({ arrivalId, words }) => (arrivalId ? [{ value: arrivalId, words }] : []));
    case "PAY_DUE":
      return (kase.subAccounts ?? []).map(({ id, name }) => ({ value: id, words: name }));
    case "REVERSE":
      return named.map(({ eventId, title }) => ({ value: eventId, words: title }));
    case "WAIVE":
      return penalties.map(({ words = "", amount = 0 }, at) => ({
        value: String(at),
        words: t.penaltyOf(words, formatNaira(amount)),
      }));
    case "ADJUST":
      return [
        { value: "pays", words: t.pays },
        { value: "takes", words: t.takes },
      ];
  }
}

const labels: Record<Kind, string> = {
  ASSIGN: t.which,
  PAY_DUE: t.sub,
  REVERSE: t.contribution,
  WAIVE: t.penalty,
  ADJUST: t.direction,
};
const nones: Record<Kind, string> = {
  ASSIGN: t.whichNone,
  PAY_DUE: t.subNone,
  REVERSE: t.contributionNone,
  WAIVE: t.penaltyNone,
  ADJUST: "",
};
/** Kinds that need an amount. */
const ofAmount: Kind[] = ["PAY_DUE", "ADJUST"];

function Fields({ kind, kase, named, penalties, onAdd }: FieldsProps) {
  const choices = choicesOf({ kind, kase, named, penalties });
  const first = kind === "PAY_DUE" ? (kase.subAccountId ?? choices[0]?.value) : choices[0]?.value;
  const [value, setValue] = useState(first ?? "");
  const [amount, setAmount] = useState(kase.amount ? String(kase.amount) : "");
  const [fault, setFault] = useState<string>();
  if (choices.length === 0) return <Note>{nones[kind]}</Note>;
  /** How much it is the ledger knows. */
  const waived = ({ amount: _, ...step }: CorrectionStep) => onAdd(step);
  const words = choices.find((choice) => choice.value === value)?.words ?? "";
  const add = () => {
    if (kind === "ASSIGN") {
      const found = kase.found?.find(({ arrivalId }) => arrivalId === value);
      return onAdd({ kind, arrivalId: value, words: t.stepWords.ASSIGN(formatNaira(found?.amount ?? 0)) });
    }
    if (kind === "REVERSE") return onAdd({ kind, eventId: value, words: t.stepWords.REVERSE(words) });
    if (kind === "WAIVE") return penalties?.slice(Number(value), Number(value) + 1).forEach(waived);
    const parsed = parseAmount(amount);
    if (!("kobo" in parsed)) return setFault(amountFaults[parsed.fault]);
    setFault(undefined);
    const naira = parsed.kobo / 100;
    if (kind === "ADJUST") {
      const takesBack = value === "takes";
      return onAdd({
        kind,
        amount: naira,
        takesBack,
        words: t.stepWords[takesBack ? "TAKES" : "PAYS"](formatNaira(naira)),
      });
    }
    onAdd({
      kind,
      groupId: kase.groupId,
      subAccountId: value,
      amount: naira,
      words: t.stepWords.PAY_DUE(formatNaira(naira), words),
    });
  };
  return (
    <Stack gap="4">
      <SelectField label={labels[kind]} value={value} onChange={(event) => setValue(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </SelectField>
      {ofAmount.includes(kind) && (
        <AmountField
          label={t.howMuch}
          value={amount}
          error={fault}
          onChange={(event) => setAmount(event.target.value)}
        />
      )}
      <Flex>
        <Button variant="outline" onClick={add}>
          {t.add}
        </Button>
      </Flex>
    </Stack>
  );
}

/** Chooses one step of a correction. */
export function AddStep(props: AddStepProps) {
  const [kind, setKind] = useState<Kind>("ASSIGN");
  return (
    <chakra.div>
      <Choice
        legend={t.addLegend}
        name="kind"
        value={kind}
        options={kinds.map((value) => ({ value, ...t[value] }))}
        onChange={setKind}
      />
      <chakra.div mt="4">
        <Fields key={kind} kind={kind} {...props} />
      </chakra.div>
    </chakra.div>
  );
}
