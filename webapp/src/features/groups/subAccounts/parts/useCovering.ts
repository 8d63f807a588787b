import { useState } from "react";
import { cover } from "@/api/dues";
import type { PaymentReceipt } from "@/api/schema.gen";
import { errorTexts } from "@/lib/texts/errors";
import { faultOf } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import type { Fault } from "@/ui/money/OutcomeNote";

interface Order {
  subAccountId: string;
  memberId: string;
  amount: number;
}

/** Pays what another member owes from the caller's wallet, once. */
export function useCovering(groupId: string) {
  const userId = useStore((state) => state.session?.id ?? "");
  const { refreshGroup, refreshTopics } = useStore.getState();
  const [fault, setFault] = useState<Fault>();
  const [receipt, setReceipt] = useState<PaymentReceipt>();
  const { state, checking, open, run, again, pass } = useCommand<Order, PaymentReceipt>({
    name: `cover:${groupId}`,
    send: async (key, order) => (await cover(key, { ...order, userId })).value,
  });
  const settle = async (answer: ReturnType<typeof run>) => {
    setFault(undefined);
    try {
      const paid = await answer;
      if (!paid) return;
      setReceipt(paid);
      refreshTopics(["wallet", "activity"]);
      refreshGroup(groupId);
    } catch (error) {
      setFault(faultOf(error, errorTexts.notAnswered.pay));
    }
  };
  return {
    state,
    checking,
    open,
    pass,
    fault,
    receipt,
    pay: (order: Order) => void settle(run(order)),
    again: () => void settle(again()),
    forget: () => setFault(undefined),
  };
}
