import { useState } from "react";
import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { useIntent } from "@/store/useIntent";

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
  const [quoting, setQuoting] = useState(false);
  const { state, run, again } = useIntent<Order, Sent>({
    name,
    send: async (key, order) => (await send(key, order)).value,
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
    try {
      const { value } = await askQuote(wanted);
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
      if (sent) onSent(sent);
    } catch (error) {
      const changed = asFailure(error).status === 409 && quote && wish !== undefined;
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
    ask: (wanted: Wish) => void ask(wanted),
    confirm(order: Order) {
      setBefore(undefined);
      void settle(run(order));
    },
    again: () => void settle(again()),
    change() {
      setQuote(undefined);
      setBefore(undefined);
      setRefusal(undefined);
    },
  };
}
