import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { RailChannel } from "@/api/schema.gen";
import { amountFits } from "@/lib/amountFits";
import { parseAmount, toKobo, toNaira } from "@/lib/money";
import type { RailOrder } from "@/store/payment/useRailPayment";
import { cardsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Choice } from "@/ui/form/Choice";
import { AmountField } from "@/ui/form/fields";
import { BankIcon, CardIcon } from "@/ui/icons";
import { CardChoice, type ChosenCard } from "@/ui/money/CardChoice";
import { type Fault, OutcomeNote, type Sent } from "@/ui/money/OutcomeNote";
import { PayButton } from "@/ui/offline/PayButton";
import { walletTexts } from "../texts";

const t = walletTexts.form;

const channels = [
  { value: "BANK_TRANSFER" as const, title: t.bank.title, detail: t.bank.detail, icon: <BankIcon /> },
  { value: "CARD" as const, title: t.card.title, detail: t.card.detail, icon: <CardIcon /> },
];

interface FundFormProps {
  /** The values typed before, when a person comes back to change them. */
  order?: RailOrder;
  busy: boolean;
  fault?: Fault & { field?: string };
  sent: Sent;
  onReview: (order: RailOrder) => void;
}

/** How much, and how: its charge is shown next, before anything is agreed to. */
export function FundForm({ order, busy, fault, sent, onReview }: FundFormProps) {
  const [channel, setChannel] = useState<RailChannel>(order?.channel ?? "BANK_TRANSFER");
  const [card, setCard] = useState<ChosenCard>({ cardId: order?.cardId, saveCard: order?.saveCard });
  const { remote } = useRead(cardsSource);
  const cards = remote.state === "ready" ? remote.value : [];

  const form = useForm({ defaultValues: { amount: order ? String(toNaira(toKobo(order.amount))) : "" } });
  const submit = useSubmit(form, {
    onReview: ({ amount }) => {
      const parsed = parseAmount(amount);
      if ("fault" in parsed) return;
      onReview({ amount: toNaira(parsed.kobo), channel, ...(channel === "CARD" ? card : {}) });
    },
  });
  const ofAmount = fault?.field === "amount" ? fault.text : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <AmountField
          label={t.amount}
          error={form.formState.errors.amount?.message ?? ofAmount}
          placeholder="0.00"
          {...form.register("amount", { validate: amountFits })}
        />
        <Choice legend={t.channel} name="channel" value={channel} options={channels} onChange={setChannel} />
        {channel === "CARD" && <CardChoice cards={cards} value={card} onChange={setCard} />}
        {!ofAmount && <OutcomeNote fault={fault} sent={sent} />}
        <PayButton type="submit" size="lg" fullWidth loading={busy}>
          {t.next}
        </PayButton>
      </Stack>
    </form>
  );
}
