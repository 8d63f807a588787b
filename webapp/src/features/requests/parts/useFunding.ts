import { useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import { type FundOrder, quoteLiquidation, requestLiquidation } from "@/api/liquidations";
import type { Liquidation, LiquidationQuote } from "@/api/types";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";

/** What somebody asks for, before its charges are known. */
export type Wish = Omit<FundOrder, "net">;

export interface Refusal {
  text: string;
  /** The server refused: it is certain that nothing was set aside. */
  certain: boolean;
  field?: string;
  status?: number;
}

/** A request for money from its form to its sending: quoted, agreed to, and sent once. */
export function useFunding(groupId: string, onSent: (request: Liquidation) => void) {
  const userId = useStore((state) => state.session?.id ?? "");
  const refreshGroup = useStore((state) => state.refreshGroup);
  const [wish, setWish] = useState<Wish>();
  const [quote, setQuote] = useState<LiquidationQuote>();
  /** What would have arrived, where the charges changed meanwhile. */
  const [before, setBefore] = useState<number>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [quoting, setQuoting] = useState(false);
  const { state, run, again } = useIntent<FundOrder, Liquidation>({
    name: `fund:${groupId}`,
    send: async (key, order) => (await requestLiquidation(key, { ...order, userId })).value,
  });

  const refuse = (error: unknown, certain = asFailure(error).certain) => {
    const failure = asFailure(error);
    if (failure.expired || failure.cancelled) return;
    const { field, status } = failure;
    setRefusal({ text: failureText(failure, errorTexts.notAnswered.pay), certain, field, status });
  };
  const ask = async (wanted: Wish) => {
    setRefusal(undefined);
    setQuoting(true);
    setWish(wanted);
    const { groupId: _group, reason: _reason, ...question } = wanted;
    try {
      const { value } = await quoteLiquidation(question);
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
      refreshGroup(groupId);
      onSent(sent);
    } catch (error) {
      const now = asFailure(error).status === 409 && quote && wish ? await ask(wish) : undefined;
      if (now && quote && toKobo(now.net) !== toKobo(quote.net)) setBefore(quote.net);
      else refuse(error);
    }
  };
  return {
    wish,
    quote,
    before,
    refusal,
    quoting,
    state,
    ask: (wanted: Wish) => void ask(wanted),
    confirm() {
      if (!quote || !wish) return;
      setBefore(undefined);
      void settle(run({ ...wish, net: quote.net }));
    },
    again: () => void settle(again()),
    change() {
      setQuote(undefined);
      setBefore(undefined);
      setRefusal(undefined);
    },
  };
}

export type Funding = ReturnType<typeof useFunding>;
