import { formatNaira } from "@/lib/money";

export const arrivedTexts = {
  paid: "Paid",
  isIn: (amount: string, name: string) => `${amount} is in ${name}.`,
  came: "Payment received",
  cameText: (amount: string) => `We have your ${amount}.`,
  inWallet: (amount: string) => `${amount} is in your wallet.`,
  notTaken: (name: string, amount: string, why: string) =>
    [`${name} did not take your ${amount}.`, why, "The money is in your wallet."].filter(Boolean).join(" "),
} as const;

interface Payment {
  amount: number;
  /** What it is for, in words. */
  purpose?: string;
  /** Of one for a group or an ajo. */
  groupId?: string;
  ajoId?: string;
  /** Where its money went, once it has come. */
  arrivedIn?: "WALLET" | "SUB_ACCOUNT" | "AJO";
  reason?: string;
}

const t = arrivedTexts;

export const isForWallet = ({ groupId, ajoId }: Payment) => !groupId && !ajoId;

/**
 * Where the money of a payment that has come is now, as the server says it. `name` is what the screen calls that for
 * which the payment was made.
 */
export function arrived(payment: Payment, name = payment.purpose ?? "") {
  const { amount, arrivedIn, reason = "" } = payment;
  const sum = formatNaira(amount);
  switch (arrivedIn) {
    case undefined:
      return { title: t.came, text: t.cameText(sum) };
    case "WALLET":
      return { title: t.came, text: isForWallet(payment) ? t.inWallet(sum) : t.notTaken(name, sum, reason) };
    case "SUB_ACCOUNT":
    case "AJO":
      return { title: t.paid, text: t.isIn(sum, name) };
  }
}
