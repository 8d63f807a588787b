import { useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import type { Withdrawal, WithdrawalQuote } from "@/api/types";
import { type Order, quoteWithdrawal, withdraw } from "@/api/withdrawals";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";

interface Refusal {
  text: string;
  /** The server refused: it is certain that nothing has left the wallet. */
  certain: boolean;
  field?: string;
  status?: number;
}

/** A withdrawal from its amount to its request: quoted, agreed to, and sent once. */
export function useWithdrawing(onSent: (withdrawal: Withdrawal) => void) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [amount, setAmount] = useState<number>();
  const [quote, setQuote] = useState<WithdrawalQuote>();
  /** What would have arrived, where the charges changed meanwhile. */
  const [before, setBefore] = useState<number>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [quoting, setQuoting] = useState(false);
  const { state, run, again } = useIntent<Order, Withdrawal>({
    name: "withdraw",
    send: async (key, order) => (await withdraw(key, order)).value,
  });

  const refuse = (error: unknown, certain = asFailure(error).certain) => {
    const failure = asFailure(error);
    if (failure.expired || failure.cancelled) return;
    const { field, status } = failure;
    setRefusal({ text: failureText(failure, errorTexts.notAnswered.pay), certain, field, status });
  };
  const ask = async (wanted: number) => {
    setRefusal(undefined);
    setQuoting(true);
    setAmount(wanted);
    try {
      const { value } = await quoteWithdrawal(wanted);
      setQuote(value);
      return value;
    } catch (error) {
      setQuote(undefined);
      // Asking takes nothing, whether or not an answer comes.
      refuse(error, true);
      return undefined;
    } finally {
      setQuoting(false);
    }
  };
  const settle = async (answer: ReturnType<typeof run>) => {
    setRefusal(undefined);
    try {
      const sent = await answer;
      if (!sent) return;
      refreshTopics(["wallet", "activity"]);
      onSent(sent);
    } catch (error) {
      const agreed = quote;
      const now = asFailure(error).status === 409 && agreed ? await ask(agreed.amount) : undefined;
      if (now && agreed && toKobo(now.net) !== toKobo(agreed.net)) setBefore(agreed.net);
      else refuse(error);
    }
  };
  return {
    amount,
    quote,
    before,
    refusal,
    quoting,
    state,
    ask: (wanted: number) => void ask(wanted),
    confirm(note: string) {
      if (!quote) return;
      setBefore(undefined);
      void settle(run({ amount: quote.amount, net: quote.net, ...(note ? { note } : {}) }));
    },
    again: () => void settle(again()),
    change() {
      setQuote(undefined);
      setBefore(undefined);
      setRefusal(undefined);
    },
  };
}

export type Withdrawing = ReturnType<typeof useWithdrawing>;
