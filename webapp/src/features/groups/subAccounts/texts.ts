export const subAccountMoney = {
  balance: "In it now",
  group: "Group",
  held: (amount: string) => `${amount} more is set aside for payouts`,
  savings: (amount: string) => `${amount} of it is still in here`,
  lateTerms: "Paying late",
  noLateTerms: "Paying late costs nothing here.",
} as const;

/** Texts for dues. */
const many = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en-NG")} ${more}`;

export const coverTexts = {
  title: "Pay for a friend",
  lead: "You pay what another member owes here, from your wallet. It counts as their savings.",
  member: "Who for?",
  pick: "Choose a member",
  none: "No other member of that name is here.",
  found: (count: number) => many(count, "member", "members"),
  owes: (name: string, amount: string, dues: string) => `${name} owes ${amount} here: ${dues}`,
  nothing: (name: string) => `${name} owes nothing here.`,
  amount: "How much do you pay?",
  tooMuch: (amount: string) => `At most what is owed: ${amount}.`,
  wallet: "In your wallet",
  review: "Review",
  reviewTitle: "Is this right?",
  for: "For",
  pays: "From your wallet",
  settles: "It settles",
  gift: "It is theirs once it is paid: you can't ask for it back here.",
  pay: (amount: string) => `Pay ${amount}`,
  change: "Change",
  doneTitle: "Paid",
  done: (amount: string, name: string) => `${amount} is paid for ${name}.`,
  close: "Done",
  receipt: "See the receipt",
} as const;

export const lateTexts = {
  legend: "What does paying late cost?",
  types: {
    NONE: { title: "Nothing", detail: "Late is late, and costs nothing." },
    FLAT: { title: "A fixed amount", detail: "The same for every late due." },
    PERCENT: { title: "A part of the due", detail: "At most 50%." },
    PERCENT_CAPPED: { title: "A part of the due, up to an amount", detail: "At most 50%, and never above your cap." },
  },
  grace: "Days of grace after the due date",
  graceHelp: "0 to 60. Whoever pays within them is in time.",
  amount: "The penalty",
  cap: "Never more than",
  percent: "Percent of the due",
  graceFault: "Enter whole days, from 0 to 60.",
  percentFault: "Enter a percentage above 0 and at most 50, like 2.5.",
  frozen: "These terms can't be changed once the sub-account is created.",
  exampleTitle: "For example",
  example: (due: string, days: number, penalty: string, total: string) =>
    `Whoever has not paid ${due} ${days === 0 ? "on the day it is due" : `within ${many(days, "day", "days")} after it is due`} owes ${penalty} more: ${total} in all, once. Money that the bank had in time takes the penalty away again by itself.`,
  exampleFlexible: "Nothing falls due in a flexible sub-account, so nothing can be late.",
} as const;

export const subAccountTexts = {
  form: {
    title: "New sub-account",
    name: "Name",
    namePlaceholder: "Monthly dues",
    description: "What it is for",
    type: "How much does each member pay?",
    frequency: "How often?",
    amount: "Amount",
    showTotal: "Members see its total",
    submit: "Create sub-account",
  },
  yourTotal: "You have paid",
  total: "Collected in all",
  collected: (amount: string) => `of ${amount} collected`,
  payments: (count: number) => (count === 1 ? "1 payment" : `${count.toLocaleString("en-NG")} payments`),
  dues: "Your payments, one by one",
  noDues: "Nothing falls due here for you yet.",
  latest: "Latest payments",
  noPayments: "Nobody has paid yet.",
  onlyYours: "The owner shows members their own payments only.",
  due: (day: string) => `due ${day}`,
} as const;
