import { useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import type { PaymentReceipt, PaymentStart, RailChannel } from "@/api/types";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import type { Fault } from "@/ui/OutcomeNote";

export type Method = "WALLET" | RailChannel;

export interface Order {
  subAccountId: string;
  monthId?: number;
  amount: number;
  method: Method;
}

export type Outcome = { receipt: PaymentReceipt } | { started: PaymentStart };

/** Pays an order once: from the wallet at once, or by starting a payment through the bank or card. */
export function usePaying(name: string) {
  const payFromWallet = useStore((state) => state.payFromWallet);
  const payThroughRail = useStore((state) => state.payThroughRail);
  const [fault, setFault] = useState<Fault & { field?: string }>();
  const [outcome, setOutcome] = useState<Outcome>();
  const intent = useIntent<Order, Outcome>({
    name,
    send: async (key, { method, ...body }) =>
      method === "WALLET"
        ? { receipt: await payFromWallet(key, body) }
        : { started: await payThroughRail(key, { ...body, channel: method }) },
  });

  const settle = async (answer: Promise<Outcome | undefined>) => {
    setFault(undefined);
    try {
      const done = await answer;
      if (done) setOutcome(done);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.expired) return;
      setFault({
        text: failureText(failure, errorTexts.notAnswered.pay),
        certain: failure.certain,
        field: failure.field,
      });
    }
  };
  return {
    state: intent.state,
    fault,
    outcome,
    pay: (order: Order) => void settle(intent.run(order)),
    again: () => void settle(intent.again()),
    clearFault: () => setFault(undefined),
  };
}
