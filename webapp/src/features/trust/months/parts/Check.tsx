import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { failureText } from "@/api/failure";
import { getMonthDraw } from "@/api/months";
import type { Step } from "@/lib/draw/check";
import { Button } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { monthsTexts as t } from "../texts";

type Checked = { state: "idle" | "checking" } | { state: "failed"; text: string } | { state: "done"; steps: Step[] };

function Verdict({ steps, test }: { steps: Step[]; test: boolean }) {
  const wrong = steps.find(({ ok }) => !ok);
  if (wrong) {
    return (
      <Note tone="danger" title={wrong.name === t.steps.attested.name ? t.failsSigned : t.fails} live>
        {wrong.says}
      </Note>
    );
  }
  return (
    <Note tone={test ? "warning" : "success"} title={test ? t.holdsTest : t.holds} live>
      {test ? t.test : t.holdsText}
    </Note>
  );
}

function Steps({ steps }: { steps: Step[] }) {
  return (
    <chakra.ol listStyleType="none" display="grid" gap="2">
      {steps.map(({ name, ok, says }) => (
        <chakra.li key={name} data-step={ok ? "ok" : "failed"} bg="bg.muted" borderRadius="md" px="4" py="3">
          <Flex justify="space-between" gap="3" align="flex-start">
            <chakra.p fontWeight="600" textStyle="body">
              {name}
            </chakra.p>
            <Badge tone={ok ? "success" : "danger"}>{ok ? t.states.passed : t.states.failed}</Badge>
          </Flex>
          <chakra.p textStyle="small" color="fg.muted">
            {says}
          </chakra.p>
        </chakra.li>
      ))}
    </chakra.ol>
  );
}

/** Has a month's sample drawn again in this browser. */
export function Check({ id, month, label, test }: { id: string; month: string; label: string; test: boolean }) {
  const [checked, setChecked] = useState<Checked>({ state: "idle" });
  const go = async () => {
    setChecked({ state: "checking" });
    try {
      const { value } = await getMonthDraw(id, month);
      const { checkMonth } = await import("../proof/check");
      setChecked({ state: "done", steps: await checkMonth(value) });
    } catch (error) {
      setChecked({ state: "failed", text: failureText(error) });
    }
  };
  return (
    <Stack gap="3" aria-busy={checked.state === "checking"}>
      {checked.state !== "done" && (
        <Box>
          <Button
            variant="outline"
            size="sm"
            loading={checked.state === "checking"}
            aria-label={t.checkOf(label)}
            onClick={go}
          >
            {t.check}
          </Button>
        </Box>
      )}
      {checked.state === "failed" && (
        <Note tone="danger" live>
          {checked.text}
        </Note>
      )}
      {checked.state === "done" && <Verdict steps={checked.steps} test={test} />}
      {checked.state === "done" && <Steps steps={checked.steps} />}
    </Stack>
  );
}
