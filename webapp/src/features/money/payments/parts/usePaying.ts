import { useState } from "react";
import type { PaymentReceipt, RailChannel } from "@/api/schema.gen";
import { errorTexts } from "@/lib/texts/errors";
import { faultOf } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import type { ChosenCard } from "@/ui/money/CardChoice";
import type { Fault } from "@/ui/money/OutcomeNote";

export type Method = "WALLET" | RailChannel;

export interface Order extends ChosenCard {
  subAccountId: string;
  monthId?: number;
  /** The first day of the oldest due that it pays. */
  period?: string;
  amount: number;
  method: Method;
  /** How many dues it is to pay. */
  count: number;
}

/** Pays from the wallet, once. */
export function useFromWallet<T>(name: string, send: (key: string, order: T) => Promise<PaymentReceipt>) {
  const [fault, setFault] = useState<Fault & { field?: string }>();
  const [receipt, setReceipt] = useState<PaymentReceipt>();
  const intent = useCommand<T, PaymentReceipt>({ name, beside: `${name}:rail`, send });

  const settle = async (answer: Promise<PaymentReceipt | undefined>) => {
    setFault(undefined);
    try {
      const done = await answer;
      if (done) setReceipt(done);
    } catch (error) {
      setFault(faultOf(error, errorTexts.notAnswered.pay));
    }
  };
  return {
    state: intent.state,
    checking: intent.checking,
    open: intent.open,
    pass: intent.pass,
    fault,
    receipt,
    pay: (order: T) => void settle(intent.run(order)),
    again: () => void settle(intent.again()),
    clearFault: () => setFault(undefined),
  };
}

/** Pays into a sub-account from the wallet. */
export function usePaying(name: string) {
  const payFromWallet = useStore((state) => state.payFromWallet);
  return useFromWallet<Order>(name, (key, { subAccountId, monthId, period, amount }) =>
    payFromWallet(key, { subAccountId, monthId, period, amount }),
  );
}
