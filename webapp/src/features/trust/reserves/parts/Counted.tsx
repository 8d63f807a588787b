import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { failureText } from "@/api/failure";
import { getMovements, getMyReserves, getReservesRoots } from "@/api/records";
import type { Movement, ProvenAccount, ReservesProof } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { DownloadIcon } from "@/ui/icons";
import { Naira } from "@/ui/money/Naira";
import type { Step } from "../proof/check";
import { countedTexts as t } from "../texts";

const tones = { passed: "success", failed: "danger", open: "neutral" } as const;
const ROOTS = 8;
const PAGES = 20;

type Check =
  | { state: "idle" | "checking" }
  | { state: "failed"; text: string }
  | { state: "done"; proof: ReservesProof; steps: Step[] };

type Reaches = (movements: Movement[], position: number) => boolean;

/** The newest movements, back to one that says what the wallet held at a place in the ledger. */
async function movementsTo(position: number, reaches: Reaches): Promise<Movement[]> {
  const all: Movement[] = [];
  let before: string | undefined;
  for (let page = 0; page < PAGES && !reaches(all, position); page++) {
    const { value } = await getMovements({}, before);
    all.push(...value.transactions);
    before = value.next;
    if (!before) break;
  }
  return all;
}

const own = (kind: ProvenAccount["kind"]) => ["WALLET", "WALLET_HELD", "DEPOSIT", "CARD"].includes(kind);

function kobo({ file }: ReservesProof, account: string): number {
  return Number(file.accounts.find((one) => one.account === account)?.kobo ?? 0);
}

function Verdict({ proof, steps }: { proof: ReservesProof; steps: Step[] }) {
  const holds = steps.every(({ state }) => state !== "failed");
  const mine = proof.accounts
    .filter(({ kind }) => own(kind))
    .reduce((sum, { account }) => sum + kobo(proof, account), 0);
  const words = mine > 0 ? t.holds(mine, Number(proof.file.sum)) : t.nothing;
  return (
    <Note tone={holds ? "success" : "danger"} live>
      {holds ? words : t.failed}
    </Note>
  );
}

function Found({ proof }: { proof: ReservesProof }) {
  if (proof.accounts.length === 0) return null;
  return (
    <Box>
      <chakra.h3 textStyle="label" mb="2">
        {t.yours}
      </chakra.h3>
      <Facts
        rows={proof.accounts.map(({ account, kind, name }) => [
          name ? `${t.kinds[kind]}: ${name}` : t.kinds[kind],
          <Naira key={account} amount={kobo(proof, account) / 100} />,
        ])}
      />
      {proof.accounts.some(({ kind }) => !own(kind)) && (
        <chakra.p textStyle="small" color="fg.muted" mt="2">
          {t.shared}
        </chakra.p>
      )}
    </Box>
  );
}

function Steps({ steps }: { steps: Step[] }) {
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

/** The file that anybody can check who has the root. */
function keep({ file }: ReservesProof) {
  keepFile(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }), t.file(file.position));
}

function useCheck(): [Check, () => Promise<void>] {
  const [check, setCheck] = useState<Check>({ state: "idle" });
  const user = useStore((state) => state.session?.id ?? "");
  const go = async () => {
    setCheck({ state: "checking" });
    try {
      const [{ value: proof }, { value: roots }] = await Promise.all([getMyReserves(), getReservesRoots(ROOTS)]);
      const { checkCounted, reaches } = await import("../proof/check");
      const movements = await movementsTo(proof.file.position, reaches);
      const steps = await checkCounted(proof, { user, roots, movements }).catch(() => undefined);
      setCheck(steps ? { state: "done", proof, steps } : { state: "failed", text: t.impossible });
    } catch (error) {
      setCheck({ state: "failed", text: failureText(error) });
    }
  };
  return [check, go];
}

/** The member's own money, found in the sum of all by this very browser. */
export function Counted() {
  const [check, go] = useCheck();
  const done = check.state === "done";
  return (
    <Card title={t.title}>
      <Stack gap="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        {check.state === "failed" && (
          <Note tone="warning" live>
            {check.text}
          </Note>
        )}
        {done && (
          <>
            <Verdict proof={check.proof} steps={check.steps} />
            <Found proof={check.proof} />
            <Steps steps={check.steps} />
            <Note title={t.proves}>
              {t.provesText} {t.hidden}
            </Note>
            <chakra.p textStyle="small" color="fg.muted">
              {t.counted(moment(check.proof.at))}
            </chakra.p>
          </>
        )}
        <Flex gap="3" wrap="wrap">
          <Button variant={done ? "outline" : "primary"} loading={check.state === "checking"} onClick={go}>
            {done ? t.again : t.check}
          </Button>
          {done && check.proof.accounts.length > 0 && (
            <Button variant="outline" icon={<DownloadIcon />} onClick={() => keep(check.proof)}>
              {t.keep}
            </Button>
          )}
        </Flex>
      </Stack>
    </Card>
  );
}
