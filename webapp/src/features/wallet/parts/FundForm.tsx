import { Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import type { PaymentStart, RailChannel } from "@/api/types";
import { parseAmount, toNaira } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { amountFaults } from "@/lib/texts/money";
import { walletTexts } from "@/lib/texts/wallet";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import { Button } from "@/ui/Button";
import { Choice } from "@/ui/Choice";
import { AmountField } from "@/ui/fields";
import { BankIcon, CardIcon } from "@/ui/icons";
import { type Fault, OutcomeNote } from "@/ui/OutcomeNote";

const t = walletTexts.form;

const channels = [
  { value: "BANK_TRANSFER" as const, title: t.bank.title, detail: t.bank.detail, icon: <BankIcon /> },
  { value: "CARD" as const, title: t.card.title, detail: t.card.detail, icon: <CardIcon /> },
];

interface Funding {
  amount: number;
  channel: RailChannel;
}

/** How much, and how: answers a payment that waits to be agreed to. */
export function FundForm({ onStarted }: { onStarted: (payment: PaymentStart) => void }) {
  const startFunding = useStore((state) => state.startFunding);
  const [channel, setChannel] = useState<RailChannel>("BANK_TRANSFER");
  const [amountFault, setAmountFault] = useState<string>();
  const [fault, setFault] = useState<Fault>();
  const { state, run, again } = useIntent({
    name: "fund",
    send: (key: string, { amount, channel }: Funding) => startFunding(key, amount, channel),
  });

  const settle = async (answer: Promise<PaymentStart | undefined>) => {
    setFault(undefined);
    setAmountFault(undefined);
    try {
      const payment = await answer;
      if (payment) onStarted(payment);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.expired) return;
      const text = failureText(failure, errorTexts.notAnswered.reference);
      if (failure.field === "amount") setAmountFault(text);
      else setFault({ text, certain: failure.certain });
    }
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = parseAmount(String(new FormData(event.currentTarget).get("amount") ?? ""));
    if ("fault" in parsed) {
      setAmountFault(amountFaults[parsed.fault]);
      return;
    }
    void settle(run({ amount: toNaira(parsed.kobo), channel }));
  };

  const locked = state === "unknown";
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <AmountField label={t.amount} name="amount" error={amountFault} disabled={locked} placeholder="0.00" />
        <Choice
          legend={t.channel}
          name="channel"
          value={channel}
          options={channels}
          onChange={setChannel}
          disabled={locked}
        />
        <OutcomeNote fault={fault} checking={state === "sending"} onAgain={() => void settle(again())} />
        {!locked && (
          <Button type="submit" size="lg" fullWidth loading={state === "sending"}>
            {t.next}
          </Button>
        )}
      </Stack>
    </form>
  );
}
