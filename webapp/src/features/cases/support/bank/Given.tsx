import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { BankAnswer } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { Reason } from "@/ui/form/Reason";
import { bankTexts as t } from "../texts";
import type { BankDeeds } from "./useBankDeeds";

interface GivenProps {
  answer: BankAnswer;
  deeds: BankDeeds;
  onLook: () => void;
}

function Standing({ answer: { status, accepted, reason, said, mayAnswer }, onLook }: Omit<GivenProps, "deeds">) {
  switch (status) {
    case "GIVEN":
    case "SENT":
      return (
        <>
          <Note tone="warning">
            {t.sending}
            {said && ` ${t.said(said)}`}
          </Note>
          <Flex>
            <Button variant="outline" onClick={onLook}>
              {t.look}
            </Button>
          </Flex>
        </>
      );
    case "TAKEN":
      return <Note tone="success">{accepted ? t.takenAccepted : t.taken}</Note>;
    case "FAILED":
      return (
        <Note tone="danger" title={t.failed}>
          {[reason, mayAnswer && t.again].filter(Boolean).join(" ")}
        </Note>
      );
    default:
      return null;
  }
}

const saying = ({ amount = 0, words = "" }: BankAnswer) => `${formatNaira(amount)} · ${words}`;

/** Agreeing, or not, that money goes back. */
function Judge({ answer, deeds }: Omit<GivenProps, "onLook">) {
  const [asking, setAsking] = useState<"agree" | "drop">();
  const { mayAgree, mayDrop } = answer;
  const { saw, changed, look, done } = useSeen(answer, ({ answerId }) => answerId);
  if (!mayAgree && !mayDrop) return null;
  const ask = (to: "agree" | "drop") => {
    look();
    setAsking(to);
  };
  const close = () => {
    setAsking(undefined);
    done();
  };
  const drop = mayAgree ? t.drop.theirs : t.drop.mine;
  return (
    <Flex gap="3" wrap="wrap">
      {mayAgree && <Button onClick={() => ask("agree")}>{t.agree}</Button>}
      {mayDrop && (
        <Button variant="outline" onClick={() => ask("drop")}>
          {drop}
        </Button>
      )}
      <Confirm
        open={asking === "agree"}
        title={t.agreeTitle}
        yes={t.agree}
        no={t.no}
        onClose={close}
        onYes={() => deeds.agree(saw.answerId ?? "")}
      >
        {t.agreeText(formatNaira(saw.amount ?? 0))}
        {changed && <Changed saw={saying(saw)} now={saying(answer)} />}
      </Confirm>
      <Reason
        open={asking === "drop"}
        title={t.dropTitle}
        label={t.dropLabel}
        fault={t.dropFault}
        yes={drop}
        no={t.no}
        onClose={close}
        onYes={(words) => deeds.drop(saw.answerId ?? "", words)}
      >
        {t.dropLead}
      </Reason>
    </Flex>
  );
}

/** The latest answer, and where it stands. */
export function Given({ answer, deeds, onLook }: GivenProps) {
  const { words, staffName, approvedBy, accepted, amount = 0, status } = answer;
  const facts: [string, string][] = [];
  if (staffName) facts.push([t.givenBy, staffName]);
  if (approvedBy) facts.push([t.agreedBy, approvedBy]);
  if (accepted) facts.push([t.goesBack, formatNaira(amount)]);
  return (
    <Stack gap="4" data-answer={status}>
      {words && (
        <div>
          <chakra.h3 textStyle="label">{t.told}</chakra.h3>
          <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere" maxWidth="44rem">
            {words}
          </chakra.p>
        </div>
      )}
      {facts.length > 0 && <Facts rows={facts} />}
      <Standing answer={answer} onLook={onLook} />
      <Judge answer={answer} deeds={deeds} />
    </Stack>
  );
}
