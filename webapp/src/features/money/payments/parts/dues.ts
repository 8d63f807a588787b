import type { Due, PaymentStart, SubAccount } from "@/api/schema.gen";
import { sumKobo, toNaira } from "@/lib/money";
import { goesOn, transfersOn } from "@/store/payment/useTransfers";

const AHEAD = 3;
const OPEN = ["DUE", "PARTIAL", "OVERDUE"];

/** The dues that can be paid now, oldest first: all open ones, and the next few to come. */
export function payable({ dues }: SubAccount): Due[] {
  const coming = dues.filter((due) => due.status === "SCHEDULED");
  return [...dues.filter((due) => OPEN.includes(due.status)), ...coming.slice(0, AHEAD)];
}

/** The sum of the first `count` dues. */
export const sumOf = (dues: Due[], count: number) =>
  toNaira(sumKobo(dues.slice(0, count).map(({ outstanding }) => outstanding)));

/** The payment into a sub-account that waits for its money: that of the due if there is one, else the newest. */
export function transferInto(sub: SubAccount, payments: PaymentStart[], period?: string): PaymentStart | undefined {
  const into = payments.filter((payment) => payment.subAccountId === sub.id && goesOn(payment));
  const due = sub.dues.find((one) => one.period === period);
  return (due && [...transfersOn([due], into).values()][0]) ?? into[0];
}
