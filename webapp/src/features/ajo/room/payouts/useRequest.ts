import { useState } from "react";
import { requestAjoPayout } from "@/api/ajoActs";
import { getAjoPayout } from "@/api/ajos";
import { asFailure } from "@/api/failure";
import type { AjoPayout } from "@/api/schema.gen";
import { toKobo } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { faultOf } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";

export type Destination = NonNullable<AjoPayout["destination"]>;

interface Order {
  amount: number;
  destination: Destination;
}

/** Asks for a pot, once, with the amount that one was told; another amount is said before anything is asked for. */
export function useRequest(payout: AjoPayout, onAsked: () => void) {
  const { ajoId, cycle } = payout;
  const userId = useStore((state) => state.session?.id ?? "");
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [shown, setShown] = useState(payout);
  const [before, setBefore] = useState<number>();
  const [fault, setFault] = useState<{ text: string; certain: boolean }>();
  const { state, checking, open, run, again, pass } = useCommand({
    name: `ajoPayout:${ajoId}:${cycle}`,
    send: (key: string, order: Order) => requestAjoPayout(key, { ajoId, cycle, userId, ...order }),
  });
  const told = shown.mine ?? 0;

  const settle = async (answer: ReturnType<typeof run>) => {
    setFault(undefined);
    try {
      const done = await answer;
      if (!done) return;
      succeed(done.message);
      refreshTopics(["ajo", "wallet", "activity"]);
      onAsked();
    } catch (error) {
      const { certain, status } = asFailure(error);
      const now =
        certain && status === 409 ? (await getAjoPayout(ajoId, cycle).catch(() => undefined))?.value : undefined;
      if (now && toKobo(now.mine ?? 0) !== toKobo(told)) {
        setBefore(told);
        setShown(now);
      } else setFault(faultOf(error, errorTexts.notAnswered.pay));
    }
  };
  return {
    payout: shown,
    told,
    before,
    fault,
    state,
    checking,
    open,
    pass,
    ask(destination: Destination) {
      setBefore(undefined);
      void settle(run({ amount: told, destination }));
    },
    again: () => void settle(again()),
  };
}
