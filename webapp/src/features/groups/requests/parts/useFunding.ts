import { type FundOrder, quoteLiquidation, requestLiquidation } from "@/api/liquidations";
import type { Liquidation, LiquidationQuote } from "@/api/schema.gen";
import { usePayout } from "@/store/payment/usePayout";
import { useStore } from "@/store/store";

/** A request before its charges are known. */
export type Wish = Omit<FundOrder, "net">;

/** A request for money of the group. */
export function useFunding(groupId: string, onSent: (request: Liquidation) => void) {
  const userId = useStore((state) => state.session?.id ?? "");
  const refreshGroup = useStore((state) => state.refreshGroup);
  return usePayout<Wish, LiquidationQuote, FundOrder, Liquidation>({
    name: `fund:${groupId}`,
    quote: ({ groupId: _group, reason: _reason, ...question }) => quoteLiquidation(question),
    send: (key, order) => requestLiquidation(key, { ...order, userId }),
    onSent: (sent) => {
      refreshGroup(groupId);
      onSent(sent);
    },
  });
}

export type Funding = ReturnType<typeof useFunding>;
