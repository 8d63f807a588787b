import type { AmountFault } from "../money";

export const amountFaults: Record<AmountFault, string> = {
  empty: "Enter an amount.",
  form: "Enter an amount in naira, like 5,000 or 5,000.50.",
  zero: "Enter more than nothing.",
  large: "That is more than can be paid at once.",
};

export const channelWords: Record<string, string> = {
  BANK_TRANSFER: "Bank transfer",
  CARD: "Card",
  WALLET: "Wallet",
};

/** A due's payment that waits for its money, and the way back to it. */
export const transferWords = {
  BANK_TRANSFER: "Transfer open · Continue",
  CARD: "Card payment open · Continue",
} as const;

export const frequencyWords = {
  ONE_TIME: "once",
  DAILY: "every day",
  WEEKLY: "every week",
  BIWEEKLY: "every two weeks",
  MONTHLY: "every month",
  QUARTERLY: "every three months",
  YEARLY: "every year",
} as const;

/** Words for a flexible sub-account: its amount is only a suggestion. */
export const flexibleWords = "suggested, any amount at any time";

export const typeWords = {
  FIXED: { title: "Fixed", detail: "Everyone pays the same amount each time." },
  FLEXIBLE: { title: "Flexible", detail: "Members give any amount, whenever they can." },
  ONE_OFF: { title: "One-off", detail: "A single payment, such as a levy." },
} as const;

export const dueWords = {
  SCHEDULED: "Coming",
  DUE: "Due",
  PARTIAL: "Partly paid",
  PAID: "Paid",
  OVERDUE: "Overdue",
  WAIVED: "Waived",
  WRITTEN_OFF: "Written off",
} as const;
