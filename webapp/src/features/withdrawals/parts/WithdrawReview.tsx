import { Box, chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { WithdrawalQuote } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { Naira } from "@/ui/money/Naira";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { withdrawTexts as t } from "../texts";
import type { Withdrawing } from "./useWithdrawing";
import { Refused } from "./WithdrawForm";

const NOTE_MAX = 50;

type Figures = Pick<WithdrawalQuote, "amount" | "fee" | "vat" | "stampDuty" | "net">;

/** What leaves, every charge, and what arrives. */
export function Charges({ figures: { amount, fee, vat, stampDuty, net } }: { figures: Figures }) {
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
      <Facts
        rows={[
          [t.leaves, <Naira key="amount" amount={amount} />],
          [t.fee, <Naira key="fee" amount={fee} />],
          [t.vat, <Naira key="vat" amount={vat} />],
          [t.duty, <Naira key="duty" amount={stampDuty} />],
          [
            t.arrives,
            <chakra.span key="net" fontSize="xl" data-arrives>
              <Naira amount={net} />
            </chakra.span>,
          ],
        ]}
      />
    </chakra.div>
  );
}

function Whose({ quote: { bankName, accountNumber, accountName } }: { quote: WithdrawalQuote }) {
  return (
    <Box borderWidth="1px" borderColor="border" borderRadius="md" px="4" py="3">
      <chakra.p textStyle="small" color="fg.muted">
        {t.name}
      </chakra.p>
      <chakra.p textStyle="section" data-account-name overflowWrap="anywhere">
        {accountName}
      </chakra.p>
      <chakra.p textStyle="body">{t.account(bankName, accountNumber)}</chakra.p>
      <chakra.p textStyle="small" color="fg.muted" mt="1">
        {t.nameHelp}
      </chakra.p>
    </Box>
  );
}

/** The charges and the account's owner, before anything is agreed to. */
export function WithdrawReview({ quote, withdrawing }: { quote: WithdrawalQuote; withdrawing: Withdrawing }) {
  const { state, before, refusal, confirm, again, change } = withdrawing;
  const [note, setNote] = useState("");
  const sending = state === "sending";
  return (
    <Stack gap="5">
      {before !== undefined && (
        <Note tone="warning" title={t.changedTitle} live>
          {t.changed(formatNaira(before), formatNaira(quote.net))}
        </Note>
      )}
      <Charges figures={quote} />
      <Whose quote={quote} />
      {refusal?.certain ? (
        <Refused refusal={refusal} />
      ) : (
        <OutcomeNote fault={refusal} checking={sending} onAgain={again} />
      )}
      {state !== "unknown" && (
        <>
          <TextField
            label={t.note}
            optional
            maxLength={NOTE_MAX}
            value={note}
            disabled={sending}
            onChange={(event) => setNote(event.target.value)}
          />
          <Stack gap="3">
            <chakra.p textStyle="small" color="fg.muted">
              {t.stepUp}
            </chakra.p>
            <Button size="lg" fullWidth loading={sending} onClick={() => confirm(note.trim())}>
              {t.confirm(formatNaira(quote.net))}
            </Button>
            <Button variant="ghost" fullWidth disabled={sending} onClick={change}>
              {t.change}
            </Button>
          </Stack>
        </>
      )}
    </Stack>
  );
}
