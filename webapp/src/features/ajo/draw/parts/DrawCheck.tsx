import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { checkDraw, type Step } from "@/lib/draw/check";
import { Note, VisuallyHidden } from "@/ui/bits";
import { CheckIcon, WarningIcon } from "@/ui/icons";
import { ajoDrawTexts as t } from "../texts";

type Check = { state: "checking" } | { state: "failed" } | { state: "done"; steps: Step[] };

/** What a proof comes to, once it was checked in this browser. */
function useCheck(value: unknown): Check {
  const [check, setCheck] = useState<Check>({ state: "checking" });
  useEffect(() => {
    let left = false;
    const tell = (now: Check) => left || setCheck(now);
    setCheck({ state: "checking" });
    checkDraw(value).then(
      (steps) => tell({ state: "done", steps }),
      () => tell({ state: "failed" }),
    );
    return () => {
      left = true;
    };
  }, [value]);
  return check;
}

function Summary({ steps, test }: { steps: Step[]; test: boolean }) {
  const wrong = steps.find(({ ok }) => !ok);
  if (wrong) {
    return (
      <Note tone="danger" title={t.wrong(wrong.name)}>
        {wrong.says} {t.wrongText}
      </Note>
    );
  }
  if (test) {
    return (
      <Note tone="warning" title={t.rightTest}>
        {t.rightTestText}
      </Note>
    );
  }
  return (
    <Note tone="success" title={t.right}>
      {t.rightText}
    </Note>
  );
}

function StepRow({ step: { name, ok, says } }: { step: Step }) {
  return (
    <Flex as="li" gap="3" data-step={ok ? "ok" : "failed"}>
      <Box color={ok ? "fg.success" : "fg.danger"} fontSize="lg" pt="0.5" flexShrink="0">
        {ok ? <CheckIcon /> : <WarningIcon />}
      </Box>
      <Box minWidth="0" flex="1">
        <chakra.p fontWeight="650">
          {name} <VisuallyHidden>{ok ? t.holds : t.fails}</VisuallyHidden>
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {says}
        </chakra.p>
      </Box>
    </Flex>
  );
}

/** A proof checked step by step, each with its sentence. */
export function DrawCheck({ value, test }: { value: unknown; test: boolean }) {
  const check = useCheck(value);
  return (
    <Stack as="section" gap="4" aria-label={t.checkTitle} aria-busy={check.state === "checking"}>
      <div role="status">
        {check.state === "checking" && <chakra.p color="fg.muted">{t.checking}</chakra.p>}
        {check.state === "failed" && (
          <Note tone="danger" title={t.uncheckable}>
            {t.uncheckableText}
          </Note>
        )}
        {check.state === "done" && <Summary steps={check.steps} test={test} />}
      </div>
      {check.state === "done" && (
        <Stack as="ol" gap="3" listStyleType="none">
          {check.steps.map((step) => (
            <StepRow key={step.name} step={step} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}
