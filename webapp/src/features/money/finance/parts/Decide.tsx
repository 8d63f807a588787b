import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { agreeUnmatched, declineUnmatched } from "@/api/finance";
import type { Unmatched } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { decideUnmatchedLimits } from "@/lib/limits.gen";
import { formatNaira } from "@/lib/money";
import { told } from "@/store/reportMoney";
import { Button } from "@/ui/Button";
import { Changed, Confirm } from "@/ui/Confirm";
import { LongField } from "@/ui/form/fields";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const { max: REASON_MAX } = decideUnmatchedLimits.reason;

type ForMember = NonNullable<Unmatched["proposal"]>;
type ForSender = NonNullable<Unmatched["sendBack"]>;

/** What is proposed, in words, and what who agrees to it is asked. */
interface Proposal extends Pick<ForMember, "mine" | "reason" | "at" | "approverName"> {
  version: string;
  says: string;
  title: string;
  text: string;
  yes: string;
}

/** What the decision is about, and who claims the money. */
const knowing = (text: string, { claims = [] }: Unmatched) => [text, ...claims.map(t.claimedBy)].join(" ");

/** That the money is a member's, or the return of a payout. */
export const forMember = (arrival: Unmatched, proposal: ForMember): Proposal => {
  const { proposerName, memberName, payoutId } = proposal;
  if (payoutId)
    return {
      ...proposal,
      says: t.proposedReturn(proposerName, payoutId),
      title: t.returnTitle,
      text: knowing(t.returnText(formatNaira(arrival.amount), payoutId), arrival),
      yes: t.returnYes,
    };
  return {
    ...proposal,
    says: t.proposed(proposerName, memberName),
    title: t.agreeTitle,
    text: knowing(t.agreeText(formatNaira(arrival.amount), memberName), arrival),
    yes: t.agreeYes,
  };
};

/** The account that money came from. */
const account = ({ accountName, bankName, accountNumber }: ForSender) =>
  accountName && bankName && accountNumber ? t.backTo(accountName, bankName, accountNumber) : t.backGone;

/** That the money goes back to the account that it came from. */
export const forSender = (arrival: Unmatched, back: ForSender): Proposal => ({
  ...back,
  version: back.version ?? "",
  says: t.backProposed(back.proposerName, account(back)),
  title: t.backTitle,
  text: knowing(t.backText(formatNaira(arrival.amount), account(back)), arrival),
  yes: t.backYes,
});

const saying = ({ says, reason }: Proposal) => `${says}: ${reason}`;

interface DecideProps {
  arrival: Unmatched;
  proposal: Proposal;
  onChanged: () => void;
}

/** A proposal, and what another than its maker may do with it. */
export function Decide({ arrival, proposal, onChanged }: DecideProps) {
  /** The proposal as it was when a dialog about it opened: another may take its place under an open dialog. */
  const [asked, setAsked] = useState<{ to: "agree" | "decline"; seen: Proposal }>();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  const { says, mine, at, approverName } = proposal;
  const seen = asked?.seen ?? proposal;
  const decide = async (approve: boolean) => {
    const { version } = seen;
    if (!approve && !reason.trim()) {
      setFault(t.declineFault);
      return false;
    }
    const done = await told(
      approve ? agreeUnmatched(arrival.id, version) : declineUnmatched(arrival.id, version, reason.trim()),
      true,
      onChanged,
    );
    if (done) onChanged();
    return Boolean(done);
  };
  const changed = asked && asked.seen.version !== proposal.version && (
    <Changed saw={saying(asked.seen)} now={saying(proposal)} />
  );
  return (
    <Stack gap="3" bg="bg.muted" borderRadius="md" px="4" py="3">
      <chakra.div textStyle="body">
        <chakra.p fontWeight="600">{says}</chakra.p>
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
            <Button
              size="sm"
              aria-label={`${t.agree}: ${arrival.reference}`}
              onClick={() => setAsked({ to: "agree", seen: proposal })}
            >
              {t.agree}
            </Button>
            <Button
              size="sm"
              variant="outline"
              aria-label={`${t.decline}: ${arrival.reference}`}
              onClick={() => setAsked({ to: "decline", seen: proposal })}
            >
              {t.decline}
            </Button>
          </Flex>
        ))}
      <Confirm
        open={asked?.to === "agree"}
        title={seen.title}
        yes={seen.yes}
        no={t.no}
        onClose={() => setAsked(undefined)}
        onYes={() => decide(true)}
      >
        {seen.text}
        {changed}
      </Confirm>
      <Confirm
        open={asked?.to === "decline"}
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
        {changed}
      </Confirm>
    </Stack>
  );
}
