import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Answer } from "@/api/client";
import {
  answerObjections,
  cancelLiquidation,
  decideLiquidation,
  objectToLiquidation,
  releaseLiquidation,
  retryLiquidation,
} from "@/api/liquidations";
import type { Liquidation } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Button, type ButtonVariant, LinkButton } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { ReasonForm } from "@/ui/form/Reason";
import { Steps } from "@/ui/Steps";
import { liquidationTexts as t } from "../texts";

type Deed = Exclude<Liquidation["may"][number], "DISPUTE">;
type Send = (key: string) => Promise<Answer<Liquidation>>;

const looks: Record<Deed, ButtonVariant> = {
  VALIDATE: "primary",
  APPROVE: "primary",
  RETRY: "primary",
  ANSWER: "primary",
  OBJECT: "outline",
  REJECT: "outline",
  RELEASE: "outline",
  CANCEL: "outline",
};
const sure: Record<Deed, ButtonVariant> = { ...looks, REJECT: "danger", RELEASE: "danger", CANCEL: "danger" };
const reasoned: ReadonlySet<Deed> = new Set(["REJECT", "RELEASE", "OBJECT", "ANSWER"]);

function sending(request: Liquidation, deed: Deed, reason = ""): Send {
  const { id } = request;
  switch (deed) {
    case "VALIDATE":
    case "APPROVE":
      return (key) => decideLiquidation(key, request, "approve");
    case "REJECT":
      return (key) => decideLiquidation(key, request, "reject", reason);
    case "OBJECT":
      return (key) => objectToLiquidation(key, id, reason);
    case "ANSWER":
      return (key) => answerObjections(key, id, reason);
    case "CANCEL":
      return (key) => cancelLiquidation(key, id);
    case "RETRY":
      return (key) => retryLiquidation(key, id);
    case "RELEASE":
      return (key) => releaseLiquidation(key, id, reason);
  }
}

/** Deeds that let money leave, or bring it nearer to that. */
const paying: ReadonlySet<Deed> = new Set(["VALIDATE", "APPROVE", "RETRY", "ANSWER"]);
const said: ReadonlySet<string> = new Set(["VALIDATED", "APPROVED", "OBJECTED", "ANSWERED"]);

/** How much goes to whom and why, and who has decided so far, beside the button that agrees to it. */
function SecondLook({ request }: { request: Liquidation }) {
  const { bankName, accountNumber, accountName = request.requestedByName, story } = request;
  const words = story.filter(({ step }) => said.has(step)).map(({ detail }) => detail);
  const rows: [string, string | undefined][] = [
    [t.look.amount, request.amountHidden ? t.hidden : formatNaira(request.net)],
    [t.look.payee, accountName],
    [t.look.bank, bankName && accountNumber && t.account(bankName, accountNumber)],
    [t.look.reason, request.reason],
    [t.look.approvals, t.approvals(request.approvals, request.approvalsNeeded)],
    [t.look.others, words.join(" ") || t.look.nobody],
  ];
  return (
    <div data-second-look>
      <Facts rows={rows.filter((row): row is [string, string] => Boolean(row[1]))} />
    </div>
  );
}

interface SureProps {
  request: Liquidation;
  deed: Deed;
  onBack: () => void;
  onDone: (request: Liquidation) => void;
}

/** Whether somebody means it, with what it does to the money. */
function Sure({ request, deed, onBack, onDone }: SureProps) {
  const { busy, act } = useAct(request.groupId, true);
  const { bankName, accountNumber, accountName = request.requestedByName } = request;
  const to = bankName && accountNumber ? `${accountName}, ${t.account(bankName, accountNumber)}` : accountName;
  const text = t.ask[deed].text(request.amountHidden ? t.hiddenSum : formatNaira(request.net), to);
  const go = async (reason?: string) => {
    // The same word on the same state of the request is the same command.
    const { id, status, story } = request;
    const said = { deed, status, steps: story.length, reason };
    const done = await act(`request:${id}`, sending(request, deed, reason), said);
    if (done) onDone(done.value);
    return Boolean(done);
  };
  return (
    <Stack gap="4" data-deed={deed} borderWidth="1px" borderColor="border.control" borderRadius="md" p="4">
      <chakra.h3 textStyle="section">{t.ask[deed].title}</chakra.h3>
      {paying.has(deed) && <SecondLook request={request} />}
      {reasoned.has(deed) ? (
        <ReasonForm
          label={t.reason}
          fault={t.reasonFault}
          yes={t.act[deed]}
          no={t.goBack}
          variant={sure[deed]}
          onClose={onBack}
          onYes={go}
        >
          {text}
        </ReasonForm>
      ) : (
        <>
          <chakra.p color="fg.muted">{text}</chakra.p>
          <Flex gap="3" wrap="wrap">
            <Button variant="outline" disabled={busy !== undefined} onClick={onBack}>
              {t.goBack}
            </Button>
            <Button variant={sure[deed]} loading={busy !== undefined} onClick={() => void go()}>
              {deed === "APPROVE" || deed === "RETRY" ? `${t.act[deed]} ${formatNaira(request.net)}` : t.act[deed]}
            </Button>
          </Flex>
        </>
      )}
    </Stack>
  );
}

/** The caller's actions on a request. */
export function Decide({ request, onDone }: { request: Liquidation; onDone: (request: Liquidation) => void }) {
  const [deed, setDeed] = useState<Deed>();
  const back = () => setDeed(undefined);
  const may = request.may.filter((one) => one !== "DISPUTE");
  const asked = deed && may.includes(deed) ? deed : undefined;
  return (
    <Steps at={asked ?? ""}>
      {asked ? (
        <Sure
          request={request}
          deed={asked}
          onBack={back}
          onDone={(next) => {
            back();
            onDone(next);
          }}
        />
      ) : (
        <Flex gap="3" wrap="wrap">
          {may.map((one) => (
            <Button key={one} variant={looks[one]} onClick={() => setDeed(one)}>
              {t.act[one]}
            </Button>
          ))}
          {may.length < request.may.length && (
            <LinkButton variant="link" to={paths.newDispute({ request: request.id })}>
              {t.dispute}
            </LinkButton>
          )}
        </Flex>
      )}
    </Steps>
  );
}
