import { useState } from "react";
import { asFailure } from "@/api/failure";
import { generateReference, makePayment, quotePayment } from "@/api/payments";
import type { PaymentQuote, PaymentStart, RailChannel } from "@/api/schema.gen";
import { verifyTransaction } from "@/api/wallet";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { faultOf } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { useQuoting } from "./useQuoting";

export interface RailOrder {
  amount: number;
  channel: RailChannel;
  /** A saved card, charged at once. */
  cardId?: string;
  saveCard?: boolean;
  /** Where it goes, when not to the wallet. */
  subAccountId?: string;
  monthId?: number;
  /** The first day of the due. */
  period?: string;
  ajoId?: string;
  cycle?: number;
  seat?: number;
}

interface Agreed {
  order: RailOrder;
  total: number;
  /** Of a payment that was started already and not charged. */
  transactionRef?: string;
}

export type RailStage =
  | { at: "form" }
  | { at: "review"; order: RailOrder; quote: PaymentQuote }
  | { at: "changed"; order: RailOrder; before: number; payment: PaymentStart }
  | { at: "started"; payment: PaymentStart };

const same = (one: number, other: number) => toKobo(one) === toKobo(other);

/** Started by a reference first, and paid with the total that was agreed to: a saved card, and what an ajo is due. */
const isReferred = ({ cardId, ajoId }: RailOrder) => Boolean(cardId || ajoId);

/** Pays the total that was agreed to, and no other. */
async function charge(key: string, { order, total, transactionRef }: Agreed): Promise<PaymentStart> {
  const { cardId, saveCard, ...of } = order;
  let reference = transactionRef;
  if (!reference) {
    const { value } = await generateReference(key, of);
    if (!same(value.total, total)) return value;
    reference = value.transactionRef;
  }
  try {
    const agreed = { transactionRef: reference, amount: total, cardId, ...(saveCard ? { saveCard } : {}) };
    return (await makePayment(`${key}-pay`, agreed)).value;
  } catch (error) {
    const { status, kind } = asFailure(error);
    if (status !== 409 || kind === "doubtful") throw error;
    const { value } = await verifyTransaction(reference);
    // Another total, or gone further already: the payment itself says which.
    if (same(value.total, total) && value.status === "INITIATED") throw error;
    return value;
  }
}

function useStart() {
  const startFunding = useStore((state) => state.startFunding);
  const payThroughRail = useStore((state) => state.payThroughRail);
  return (key: string, agreed: Agreed): Promise<PaymentStart> => {
    const { amount, channel, saveCard, subAccountId, monthId, period } = agreed.order;
    if (isReferred(agreed.order)) return charge(key, agreed);
    const rail = { amount, channel, ...(saveCard ? { saveCard } : {}) };
    return subAccountId ? payThroughRail(key, { ...rail, subAccountId, monthId, period }) : startFunding(key, rail);
  };
}

/**
 * A payment through the bank or card: its charge first, then its start, then where to pay it. `fromWallet` names what
 * pays the same from the wallet.
 */
export function useRailPayment(name: string, fromWallet?: string) {
  const keepPayment = useStore((state) => state.keepPayment);
  const [stage, setStage] = useState<RailStage>({ at: "form" });
  const [fault, setFault] = useState<{ text: string; certain: boolean; asked?: boolean; field?: string }>();
  const { quoting, begin: beginQuote, end: endQuote } = useQuoting();
  const start = useStart();
  const intent = useCommand<Agreed, { payment: PaymentStart; agreed: Agreed }>({
    name,
    beside: fromWallet,
    send: async (key, agreed) => ({ payment: await start(key, agreed), agreed }),
  });

  const settle = async (answer: ReturnType<typeof intent.run>) => {
    setFault(undefined);
    try {
      const done = await answer;
      if (!done) return;
      const { payment, agreed } = done;
      keepPayment(payment);
      // Where its money is on its way already, it is followed as it is.
      if (payment.status === "INITIATED" && !same(payment.total, agreed.total)) {
        setStage({ at: "changed", order: agreed.order, before: agreed.total, payment });
      } else setStage({ at: "started", payment });
    } catch (error) {
      setFault(faultOf(error, errorTexts.notAnswered.pay));
    }
  };
  return {
    stage,
    fault,
    quoting,
    state: intent.state,
    checking: intent.checking,
    open: intent.open,
    pass: intent.pass,
    /** Asks what it costs; starts nothing. */
    async review(order: RailOrder) {
      setFault(undefined);
      const isLast = beginQuote();
      try {
        const { value } = await quotePayment(order.amount, order.channel);
        if (isLast()) setStage({ at: "review", order, quote: value });
      } catch (error) {
        const failed = faultOf(error, errorTexts.notAnswered.reference);
        if (isLast()) setFault(failed && { ...failed, asked: true });
      }
      if (isLast()) endQuote();
    },
    /** Starts what costs nothing; were there a charge after all, it is asked about before anything is paid. */
    begin: (order: RailOrder) => void settle(intent.run({ order, total: order.amount })),
    agree() {
      if (stage.at === "review") void settle(intent.run({ order: stage.order, total: stage.quote.total }));
    },
    agreeToChange() {
      if (stage.at !== "changed") return;
      const { order, payment } = stage;
      // Where it is paid in a next step, what was started may go on as it is.
      if (!isReferred(order)) setStage({ at: "started", payment });
      else void settle(intent.run({ order, total: payment.total, transactionRef: payment.transactionRef }));
    },
    again: () => void settle(intent.again()),
    back() {
      endQuote();
      setFault(undefined);
      setStage({ at: "form" });
    },
  };
}
