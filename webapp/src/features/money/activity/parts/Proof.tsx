import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { failureText } from "@/api/failure";
import type { Movement, Receipt } from "@/api/schema.gen";
import { SeenBy } from "@/features/trust/witness";
import { keepFile } from "@/lib/files";
import { readOnce } from "@/store/readOnce";
import { receiptSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { DownloadIcon } from "@/ui/icons";
import type { ProofStep } from "../proof/verify";
import { proofTexts as t } from "../texts";

const tones = { passed: "success", failed: "danger" } as const;

type Check =
  | { state: "idle" | "checking" }
  | { state: "failed"; text: string }
  | { state: "withheld"; text?: string }
  | { state: "done"; receipt: Receipt; steps: ProofStep[] };

function Verdict({ steps }: { steps: ProofStep[] }) {
  const holds = steps.every(({ state }) => state === "passed");
  return (
    <Note tone={holds ? "success" : "danger"} live>
      {holds ? t.passed : t.failed}
    </Note>
  );
}

/** Where the record would tell a hidden total: why nothing can be checked here, and who can. */
export function Withheld({ why = t.why }: { why?: string }) {
  return (
    <Note tone="brand" title={t.withheldTitle}>
      {why}
    </Note>
  );
}

function Steps({ steps }: { steps: ProofStep[] }) {
  return (
    <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="2">
      {steps.map(({ name, state, text }) => (
        <chakra.li key={name} data-proof={name} data-state={state} bg="bg.muted" borderRadius="md" px="4" py="3">
          <Flex justify="space-between" gap="3" align="flex-start">
            <chakra.p fontWeight="600" textStyle="body">
              {t.steps[name].title}
            </chakra.p>
            <Badge tone={tones[state]}>{t.states[state]}</Badge>
          </Flex>
          <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
            {text}
          </chakra.p>
        </chakra.li>
      ))}
    </chakra.ol>
  );
}

function Mono({ name, value }: { name: string; value: string }) {
  return (
    <Box>
      <Flex justify="space-between" align="center" gap="3" mb="1">
        <chakra.p textStyle="small" color="fg.muted">
          {name}
        </chakra.p>
        <CopyButton value={value} what={name.toLowerCase()} />
      </Flex>
      <chakra.p fontFamily="mono" fontSize="xs" bg="bg.muted" borderRadius="md" px="3" py="2.5" overflowWrap="anywhere">
        {value}
      </chakra.p>
    </Box>
  );
}

/** All that the check needs, for another day and another tool. */
function keep(receipt: Receipt) {
  const text = JSON.stringify(receipt, null, 2);
  keepFile(new Blob([text], { type: "application/json" }), t.file(receipt.position));
}

/** The movement's proof, fetched and checked in this very browser, step by step. */
export function Proof({ movement, leafHash }: { movement: Movement; leafHash: string }) {
  const user = useStore((state) => state.session?.id ?? "");
  const [check, setCheck] = useState<Check>({ state: "idle" });
  const go = async () => {
    setCheck({ state: "checking" });
    let receipt: Receipt;
    try {
      receipt = await readOnce(receiptSource(movement.id));
    } catch (error) {
      setCheck({ state: "failed", text: failureText(error) });
      return;
    }
    try {
      const { isWhole, keepFirst, verifyReceipt } = await import("../proof/verify");
      if (!isWhole(receipt)) {
        setCheck({ state: "withheld", text: receipt.withheld });
        return;
      }
      const steps = await verifyReceipt(receipt, { position: movement.position, leafHash });
      await keepFirst(user, receipt.checkpoint, receipt.key);
      setCheck({ state: "done", receipt, steps });
    } catch {
      setCheck({ state: "failed", text: t.impossible });
    }
  };
  if (check.state === "withheld") {
    return (
      <Box mt="5">
        <Withheld why={check.text} />
      </Box>
    );
  }
  return (
    <Stack gap="4" mt="5" pt="5" borderTopWidth="1px" borderColor="border">
      <Box>
        <chakra.h3 textStyle="label">{t.title}</chakra.h3>
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
      </Box>
      {check.state === "failed" && (
        <Note tone="warning" live>
          {check.text}
        </Note>
      )}
      {check.state === "done" && (
        <>
          <Verdict steps={check.steps} />
          <Steps steps={check.steps} />
          <SeenBy checkpoint={check.receipt.checkpoint} position={check.receipt.position} groupId={movement.groupId} />
          <Mono name={t.root} value={check.receipt.root} />
          <Mono name={t.key} value={check.receipt.key} />
          <chakra.p textStyle="small" color="fg.muted">
            {t.keyHelp}
          </chakra.p>
        </>
      )}
      <Flex gap="3" wrap="wrap">
        <Button
          variant={check.state === "done" ? "outline" : "primary"}
          loading={check.state === "checking"}
          onClick={go}
        >
          {check.state === "done" ? t.again : t.check}
        </Button>
        {check.state === "done" && (
          <Button variant="outline" icon={<DownloadIcon />} onClick={() => keep(check.receipt)}>
            {t.keep}
          </Button>
        )}
      </Flex>
    </Stack>
  );
}
