import { chakra, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { getLimits } from "@/api/withdrawals";
import { amountFits } from "@/lib/amountFits";
import { formatNaira, parseAmount, toNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { freezeSource } from "@/store/disputeSources";
import { balancesSource, ofWallet } from "@/store/sources";
import { useKnown, useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Facts } from "@/ui/bits";
import { AmountField } from "@/ui/form/fields";
import { Naira } from "@/ui/money/Naira";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { Refused } from "@/ui/money/PayoutReview";
import { PayButton } from "@/ui/offline/PayButton";
import { limitTexts, withdrawTexts as t } from "../texts";
import type { Withdrawing } from "./useWithdrawing";

/** The wallet's balance, and the rest of the tier's limit for today. */
function Available() {
  const { remote: balances } = useRead(balancesSource);
  const { remote: limits } = useRead({ ...ofWallet, key: "limits", read: getLimits });
  return (
    <Facts
      rows={[
        [t.inWallet, balances.state === "ready" ? <Naira key="balance" amount={balances.value.balance} /> : "…"],
        [limitTexts.left, limits.state === "ready" ? formatNaira(limits.value.left) : "…"],
      ]}
    />
  );
}

/** How much leaves the wallet; what that costs is shown next. */
export function WithdrawForm({ withdrawing }: { withdrawing: Withdrawing }) {
  const { wish: amount, refusal, quoting, ask } = withdrawing;
  const form = useForm({ defaultValues: { amount: amount === undefined ? "" : String(amount) } });
  const submit = useSubmit(form, {
    onReview: (typed) => {
      const parsed = parseAmount(typed.amount);
      if ("kobo" in parsed) ask(toNaira(parsed.kobo));
    },
  });
  const freeze = useKnown(freezeSource);
  const isFrozen = freeze?.state === "ready" && freeze.value.frozen;
  const ofAmount = refusal?.field === "amount" ? refusal.text : undefined;
  if (withdrawing.state === "unknown") return <OutcomeNote fault={undefined} sent={withdrawing} />;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.div bg="bg.muted" borderRadius="md" px="4" py="3">
          <Available />
        </chakra.div>
        <AmountField
          label={t.amount}
          placeholder="0.00"
          error={form.formState.errors.amount?.message ?? ofAmount}
          {...form.register("amount", { validate: amountFits })}
        />
        {refusal && !ofAmount && (
          <Refused refusal={refusal} words={t} bank={isFrozen ? undefined : paths.editProfile("bank")} />
        )}
        <OutcomeNote fault={undefined} sent={withdrawing} />
        <PayButton type="submit" size="lg" fullWidth loading={quoting}>
          {t.next}
        </PayButton>
      </Stack>
    </form>
  );
}
