import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Case, CorrectionOfLab } from "@/api/schema.gen";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import type { Named } from "../parts/useNamed";
import { machineTexts as m, labTexts as t } from "../texts";
import { AddEdit } from "./AddEdit";
import { Found } from "./Found";
import { type LabAtWork, useLab } from "./useLab";
import { editWords } from "./words";

type TitleOf = (position: number) => string;

function Edits({ lab: { edits, remove }, titleOf }: { lab: LabAtWork; titleOf: TitleOf }) {
  if (edits.length === 0) return null;
  return (
    <div>
      <chakra.h3 textStyle="label">{t.edits}</chakra.h3>
      <chakra.ul listStyleType="none">
        {edits.map((edit, at) => {
          const words = editWords(edit, titleOf);
          return (
            <chakra.li key={words} display="flex" alignItems="center" gap="3" textStyle="body" data-edit={edit.kind}>
              <chakra.span flex="1" minWidth="0">
                {words}
              </chakra.span>
              <Button variant="ghost" aria-label={t.removeIt(words)} onClick={() => remove(at)}>
                {t.remove}
              </Button>
            </chakra.li>
          );
        })}
      </chakra.ul>
    </div>
  );
}

function Before({ lab: { kept, again }, titleOf }: { lab: LabAtWork; titleOf: TitleOf }) {
  if (kept.length === 0) return null;
  return (
    <chakra.details>
      <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
        {t.before}
      </chakra.summary>
      <chakra.ul listStyleType="none">
        {kept.map((lab) => {
          const words = lab.edits.map((edit) => editWords(edit, titleOf)).join("; ");
          return (
            <chakra.li key={lab.id} display="flex" alignItems="center" gap="3" textStyle="body" data-kept>
              <chakra.span flex="1" minWidth="0">
                {m.subjects[lab.subject]}: {words}
              </chakra.span>
              <Button variant="ghost" aria-label={t.againIt(words)} onClick={() => again(lab)}>
                {t.again}
              </Button>
            </chakra.li>
          );
        })}
      </chakra.ul>
    </chakra.details>
  );
}

interface LabProps {
  kase: Case;
  tried: Named["tried"];
  /** The lab is to become a correction. */
  onPlan: (plan: CorrectionOfLab) => void;
}

/** Offers a lab that differs as a correction, while none waits. */
function Planning({ kase, lab, onPlan }: Pick<LabProps, "kase" | "onPlan"> & { lab: LabAtWork }) {
  const { result, edits, busy, planned } = lab;
  const differs = result && result.accounts.length + result.states.length > 0;
  if (!differs || edits.length === 0 || kase.plan === "PROPOSED" || kase.plan === "APPROVED") return null;
  const plan = async () => {
    const made = await planned();
    if (made) onPlan(made);
  };
  return (
    <div>
      <Button loading={busy} onClick={plan}>
        {t.plan}
      </Button>
      <chakra.p textStyle="small" color="fg.muted" mt="1.5">
        {t.planLead}
      </chakra.p>
    </div>
  );
}

/** What would have followed, had something been otherwise: decided by the rules, and recorded nowhere. */
export function Lab({ kase, tried, onPlan }: LabProps) {
  const lab = useLab(kase.id, kase.subjects.includes("GROUP") ? "GROUP" : "MEMBER");
  const { subject, edits, result, busy } = lab;
  const titleOf: TitleOf = (position) => tried.find((one) => one.position === position)?.title ?? t.of(position);
  return (
    <Card title={t.title}>
      <Stack gap="5">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        <Flex role="group" aria-label={t.open} gap="2" wrap="wrap">
          {kase.subjects.map((one) => (
            <Button
              key={one}
              variant={one === subject ? "secondary" : "outline"}
              aria-pressed={one === subject}
              onClick={() => lab.choose(one)}
            >
              {m.subjects[one]}
            </Button>
          ))}
        </Flex>
        <AddEdit kase={kase} tried={tried} onAdd={lab.add} />
        <Edits lab={lab} titleOf={titleOf} />
        <Flex>
          <Button variant={edits.length > 0 ? "primary" : "outline"} loading={busy} onClick={() => void lab.run()}>
            {edits.length > 0 ? t.run : t.check}
          </Button>
        </Flex>
        {result && <Found result={result} />}
        <Planning kase={kase} lab={lab} onPlan={onPlan} />
        <Before lab={lab} titleOf={titleOf} />
      </Stack>
    </Card>
  );
}
