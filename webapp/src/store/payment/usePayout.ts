import { useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure } from "@/api/failure";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { faultOf } from "@/store/reportMoney";
import { useCommand } from "@/store/useCommand";
import { useQuoting } from "./useQuoting";

interface PayoutOptions<Wish, Quote, Order, Sent> {
  /** Names it: under the same name it is sent once, in every tab. */
  name: string;
  quote: (wish: Wish) => Promise<Answer<Quote>>;
  send: (key: string, order: Order) => Promise<Answer<Sent>>;
  onSent: (sent: Sent) => void;
}

export interface Refusal {
  text: string;
  /** The server refused: it is certain that nothing was taken or set aside. */
  certain: boolean;
  /** Only the charges were asked for: nothing is said of money. */
  asked?: boolean;
  field?: string;
  status?: number;
}

/** Money to a bank account, from its form to its sending: quoted, agreed to, and sent once. */
export function usePayout<Wish, Quote extends { net: number }, Order, Sent>({
  name,
  quote: askQuote,
  send,
  onSent,
}: PayoutOptions<Wish, Quote, Order, Sent>) {
  const [wish, setWish] = useState<Wish>();
  const [quote, setQuote] = useState<Quote>();
  /** The earlier net amount, where the charges changed meanwhile. */
  const [before, setBefore] = useState<number>();
  const [refusal, setRefusal] = useState<Refusal>();
  const { quoting, begin, end } = useQuoting();
  const { state, checking, open, run, again, pass } = useCommand<Order, Sent>({
    name,
    send: async (key, order) => (await send(key, order)).value,
  });

  const refuse = (error: unknown) => setRefusal(faultOf(error, errorTexts.notAnswered.pay));
  const ask = async (wanted: Wish) => {
    setRefusal(undefined);
    const isLast = begin();
    setWish(wanted);
    try {
      const { value } = await askQuote(wanted);
      if (!isLast()) return undefined;
      setQuote(value);
      return value;
    } catch (error) {
      if (!isLast()) return undefined;
      setQuote(undefined);
      // Asking takes nothing; but without an answer, or with an earlier try open, nothing is said of money.
      const fault = faultOf(error, errorTexts.notAnswered.pay);
      setRefusal(fault && { ...fault, certain: true, asked: !fault.certain || open || state === "unknown" });
      return undefined;
    } finally {
      if (isLast()) end();
    }
  };
  const settle = async (answer: ReturnType<typeof run>) => {
    setRefusal(undefined);
    try {
      const sent = await answer;
      if (sent) onSent(sent);
    } catch (error) {
      const { certain, status } = asFailure(error);
      const changed = certain && status === 409 && quote && wish !== undefined;
      const now = changed ? await ask(wish) : undefined;
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
    checking,
    open,
    pass,
    ask: (wanted: Wish) => void ask(wanted),
    confirm(order: Order) {
      setBefore(undefined);
      void settle(run(order));
    },
    again: () => void settle(again()),
    change() {
      end();
      setQuote(undefined);
      setBefore(undefined);
      setRefusal(undefined);
    },
  };
}
