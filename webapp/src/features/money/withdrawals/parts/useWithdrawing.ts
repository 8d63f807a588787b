import type { Withdrawal, WithdrawalQuote } from "@/api/schema.gen";
import { type Order, quoteWithdrawal, withdraw } from "@/api/withdrawals";
import { usePayout } from "@/store/payment/usePayout";
import { useStore } from "@/store/store";

/** A withdrawal to the member's own bank account; its wish is the amount. */
export function useWithdrawing(onSent: (withdrawal: Withdrawal) => void) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  return usePayout<number, WithdrawalQuote, Order, Withdrawal>({
    name: "withdraw",
    quote: quoteWithdrawal,
    send: withdraw,
    onSent: (sent) => {
      refreshTopics(["wallet", "activity"]);
      onSent(sent);
    },
  });
}

export type Withdrawing = ReturnType<typeof useWithdrawing>;
