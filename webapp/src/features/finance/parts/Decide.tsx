import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { decideUnmatched } from "@/api/finance";
import type { Unmatched } from "@/api/types";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { attempt } from "@/store/attempt";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { LongField } from "@/ui/form/fields";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const REASON_MAX = 200;

interface DecideProps {
  arrival: Unmatched;
  proposal: NonNullable<Unmatched["proposal"]>;
  onChanged: (next: Unmatched) => void;
}

/** A proposal, and what another than its maker may do with it. */
export function Decide({ arrival, proposal, onChanged }: DecideProps) {
  const [asked, setAsked] = useState<"agree" | "decline">();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  const { memberName, proposerName, mine, at, approverName } = proposal;
  const decide = async (approve: boolean) => {
    if (!approve && !reason.trim()) {
      setFault(t.declineFault);
      return false;
    }
    const done = await attempt(decideUnmatched(arrival.id, approve, approve ? undefined : reason.trim()));
    if (done) onChanged(done.value);
    return Boolean(done);
  };
  return (
    <Stack gap="3" bg="bg.muted" borderRadius="md" px="4" py="3">
      <chakra.div textStyle="body">
        <chakra.p fontWeight="600">{t.proposed(proposerName, memberName)}</chakra.p>
        <p>{proposal.reason}</p>
        <chakra.p textStyle="small" color="fg.muted">
          {moment(at)}
          {approverName && ` · ${t.agreed(approverName)}`}
        </chakra.p>
      </chakra.div>
      {arrival.status === "PROPOSED" &&
        (mine ? (
          <chakra.p textStyle="body">{t.mine}</chakra.p>
        ) : (
          <Flex gap="2">
            <Button size="sm" aria-label={`${t.agree}: ${arrival.reference}`} onClick={() => setAsked("agree")}>
              {t.agree}
            </Button>
            <Button
              size="sm"
              variant="outline"
              aria-label={`${t.decline}: ${arrival.reference}`}
              onClick={() => setAsked("decline")}
            >
              {t.decline}
            </Button>
          </Flex>
        ))}
      <Confirm
        open={asked === "agree"}
        title={t.agreeTitle}
        yes={t.agreeYes}
        no={t.no}
        onClose={() => setAsked(undefined)}
        onYes={() => decide(true)}
      >
        {t.agreeText(formatNaira(arrival.amount), memberName)}
      </Confirm>
      <Confirm
        open={asked === "decline"}
        title={t.declineTitle}
        yes={t.decline}
        no={t.no}
        danger
        onClose={() => setAsked(undefined)}
        onYes={() => decide(false)}
      >
        <LongField
          label={t.declineWhy}
          maxLength={REASON_MAX}
          value={reason}
          error={fault}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </Stack>
  );
}
