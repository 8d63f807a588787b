import type { Due, PaymentStart } from "@/api/schema.gen";
import { openPaymentsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";

type DueOf = Pick<Due, "subAccountId" | "period" | "monthId" | "outstanding">;

const keyOf = ({ subAccountId, period }: DueOf) => `${subAccountId} ${period}`;

/** Whether there is something to go on with: an account to send to, a page to pay on, or money on its way. */
export const goesOn = ({ accountNumber, checkoutUrl, status }: PaymentStart) =>
  Boolean(accountNumber || checkoutUrl) || status === "PENDING";

/** Each payment that waits for its money, on the oldest open due of what it was started for. */
export function transfersOn(dues: DueOf[], payments: PaymentStart[]): Map<string, PaymentStart> {
  const on = new Map<string, PaymentStart>();
  for (const payment of payments.filter(goesOn)) {
    const due = dues.find(
      (one) =>
        one.outstanding > 0 &&
        one.subAccountId === payment.subAccountId &&
        (payment.monthId ?? one.monthId) === one.monthId &&
        !on.has(keyOf(one)),
    );
    if (due) on.set(keyOf(due), payment);
  }
  return on;
}

/** Which of these dues, oldest first, has a payment that was started and waits for its money. */
export function useTransfers(dues: DueOf[]): (due: DueOf) => PaymentStart | undefined {
  const { remote: open } = useRead(openPaymentsSource);
  const on = transfersOn(dues, open.state === "ready" ? open.value : []);
  return (due) => on.get(keyOf(due));
}
