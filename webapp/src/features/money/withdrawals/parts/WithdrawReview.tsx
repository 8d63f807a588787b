import { useState } from "react";
import type { WithdrawalQuote } from "@/api/schema.gen";
import { withdrawLimits } from "@/lib/limits.gen";
import { paths } from "@/lib/paths";
import { TextField } from "@/ui/form/fields";
import { PayoutReview } from "@/ui/money/PayoutReview";
import { withdrawTexts as t } from "../texts";
import type { Withdrawing } from "./useWithdrawing";

const { max: NOTE_MAX } = withdrawLimits.note;

/** A withdrawal, before it is agreed to; with a note for the bank statement. */
export function WithdrawReview({ quote, withdrawing }: { quote: WithdrawalQuote; withdrawing: Withdrawing }) {
  const { amount, net, bankName, accountNumber } = quote;
  const [typed, setTyped] = useState("");
  const note = typed.trim();
  return (
    <PayoutReview
      quote={quote}
      payout={withdrawing}
      words={t}
      account={t.account(bankName, accountNumber)}
      nameHelp={t.nameHelp}
      bank={paths.editProfile("bank")}
      onConfirm={() => withdrawing.confirm({ amount, net, ...(note ? { note } : {}) })}
    >
      <TextField
        label={t.note}
        optional
        maxLength={NOTE_MAX}
        value={typed}
        disabled={withdrawing.state === "sending"}
        onChange={(event) => setTyped(event.target.value)}
      />
    </PayoutReview>
  );
}
