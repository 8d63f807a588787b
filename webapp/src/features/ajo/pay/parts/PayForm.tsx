import { Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { AjoDueLine } from "@/api/schema.gen";
import { type Method, methods, PayBar, Short, paymentTexts as words } from "@/features/money/payments";
import { formatNaira, toKobo } from "@/lib/money";
import { cardsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Choice } from "@/ui/form/Choice";
import { CardChoice, type ChosenCard } from "@/ui/money/CardChoice";
import { type Fault, OutcomeNote, type Sent } from "@/ui/money/OutcomeNote";

export interface Order extends ChosenCard {
  amount: number;
  method: Method;
}

interface PayFormProps {
  due: AjoDueLine;
  balance: number | undefined;
  fault?: Fault;
  sent: Sent;
  busy: boolean;
  onPay: (order: Order) => void;
}

/** From where: a due is paid as it is, whole. */
export function PayForm({ due, balance, fault, sent, busy, onPay }: PayFormProps) {
  const { remote } = useRead(cardsSource);
  const [chosen, setChosen] = useState<Method>();
  const [card, setCard] = useState<ChosenCard>({});
  const { amount } = due;
  const holds = balance !== undefined && toKobo(balance) >= toKobo(amount);
  const method = chosen ?? (holds ? "WALLET" : "BANK_TRANSFER");
  const short = method === "WALLET" && balance !== undefined && !holds;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onPay(method === "CARD" ? { amount, method, ...card } : { amount, method });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <Choice
          legend={words.method}
          name="method"
          value={method}
          options={methods(balance)}
          disabled={busy}
          onChange={setChosen}
        />
        {method === "CARD" && (
          <CardChoice
            cards={remote.state === "ready" ? remote.value : []}
            value={card}
            onChange={setCard}
            disabled={busy}
          />
        )}
        {short && <Short />}
        <OutcomeNote fault={fault} sent={sent} />
        <PayBar>
          <Button type="submit" size="lg" fullWidth disabled={short} loading={busy}>
            {method === "CARD" ? words.next : words.pay(formatNaira(amount))}
          </Button>
        </PayBar>
      </Stack>
    </form>
  );
}
