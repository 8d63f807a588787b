import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { formatNaira } from "@/lib/money";
import { PayButton } from "@/ui/offline/PayButton";
import { Button, LinkButton } from "../Button";
import { Facts, Note } from "../bits";
import { Naira } from "./Naira";
import { type Fault, OutcomeNote, type Sent } from "./OutcomeNote";

interface Figures {
  amount: number;
  fee: number;
  vat: number;
  stampDuty: number;
  net: number;
}

export type ChargeWords = Record<"leaves" | "fee" | "vat" | "duty" | "arrives", string>;

/** The amount that leaves, every charge, and the amount that arrives. */
export function Charges({ figures: { amount, fee, vat, stampDuty, net }, words }: ChargesProps) {
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
      <Facts
        rows={[
          [words.leaves, <Naira key="amount" amount={amount} />],
          [words.fee, <Naira key="fee" amount={fee} />],
          [words.vat, <Naira key="vat" amount={vat} />],
          [words.duty, <Naira key="duty" amount={stampDuty} />],
          [
            words.arrives,
            <chakra.span key="net" fontSize="xl" data-arrives>
              <Naira amount={net} />
            </chakra.span>,
          ],
        ]}
      />
    </chakra.div>
  );
}

interface ChargesProps {
  figures: Figures;
  words: ChargeWords;
}

interface RefusedProps {
  refusal: { text: string; status?: number; asked?: boolean };
  words: { untouched: string; toBank: string };
  /** Where one's own bank account is seen, if that may help. */
  bank?: string;
}

/** The server's sentence mostly says itself that no money moved. */
const SAID = /nothing was|nothing is/i;

/** Why it is not possible, in the server's words, with the way to what would help. */
export function Refused({ refusal: { text, status, asked }, words, bank }: RefusedProps) {
  return (
    <Note tone="danger" live>
      <p>{text}</p>
      {!asked && !SAID.test(text) && <p>{words.untouched}</p>}
      {bank && status !== 422 && status !== 429 && (
        <Flex mt="3">
          <LinkButton to={bank} size="sm" variant="outline">
            {words.toBank}
          </LinkButton>
        </Flex>
      )}
    </Note>
  );
}

interface PayoutReviewProps {
  quote: Figures & { accountName: string };
  payout: Sent & {
    before: number | undefined;
    refusal: (Fault & { status?: number }) | undefined;
    change: () => void;
  };
  words: ChargeWords &
    RefusedProps["words"] &
    Record<"name" | "changedTitle" | "stepUp" | "change", string> & {
      changed: (before: string, now: string) => string;
      confirm: (net: string) => string;
    };
  /** The account that is paid, and what its name is to be held against. */
  account: string;
  nameHelp: string;
  bank?: string;
  /** A note above the button. */
  note?: ReactNode;
  /** Fields that may still be filled in. */
  children?: ReactNode;
  onConfirm: () => void;
}

/** The charges and the account's owner, before anything is agreed to. */
export function PayoutReview({ quote, payout, words, account, nameHelp, bank, ...props }: PayoutReviewProps) {
  const { state, before, refusal, change } = payout;
  const sending = state === "sending";
  return (
    <Stack gap="5">
      {before !== undefined && (
        <Note tone="warning" title={words.changedTitle} live>
          {words.changed(formatNaira(before), formatNaira(quote.net))}
        </Note>
      )}
      <Charges figures={quote} words={words} />
      <Box borderWidth="1px" borderColor="border" borderRadius="md" px="4" py="3">
        <chakra.p textStyle="small" color="fg.muted">
          {words.name}
        </chakra.p>
        <chakra.p textStyle="section" data-account-name overflowWrap="anywhere">
          {quote.accountName}
        </chakra.p>
        <chakra.p textStyle="body">{account}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted" mt="1">
          {nameHelp}
        </chakra.p>
      </Box>
      {props.note}
      {state !== "unknown" && refusal?.certain ? (
        <Refused refusal={refusal} words={words} bank={bank} />
      ) : (
        <OutcomeNote fault={refusal} sent={payout} />
      )}
      {state !== "unknown" && (
        <>
          {props.children}
          <Stack gap="3">
            <chakra.p textStyle="small" color="fg.muted">
              {words.stepUp}
            </chakra.p>
            <PayButton size="lg" fullWidth loading={sending} onClick={props.onConfirm}>
              {words.confirm(formatNaira(quote.net))}
            </PayButton>
            <Button variant="ghost" fullWidth disabled={sending} onClick={change}>
              {words.change}
            </Button>
          </Stack>
        </>
      )}
    </Stack>
  );
}
