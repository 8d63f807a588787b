/** Texts for cards and for payments on their way. */
export const cardTexts = {
  legend: "Which card?",
  fresh: "A new card",
  freshDetail: "You type its number on the card company's page",
  save: "Save this card for next time",
  saveHelp:
    "The card company keeps its number; we keep its last four digits alone. You can have it forgotten at any time.",
  name: (brand: string | undefined, last4: string) =>
    `${brand ? brand.charAt(0).toUpperCase() + brand.slice(1) : "Card"} ending in ${last4}`,
  expires: (month: number, year: number) => `Expires ${String(month).padStart(2, "0")}/${year}`,
  title: "Saved cards",
  none: "No card is saved. When you pay by card you may choose to keep it for next time.",
  forget: "Forget",
  forgetIt: (name: string) => `Forget ${name}`,
  confirmTitle: "Forget this card?",
  confirm: (name: string) =>
    `${name} can't be charged from here again. You can save it once more when you pay with it.`,
  yes: "Forget card",
  no: "Keep it",
  charging: "Your card is being charged. You may close this: it goes on by itself.",
} as const;

export const paymentStatusTexts = {
  changedTitle: "The charge is another one now",
  changed: (before: string, now: string) => `You agreed to ${before}. It would be ${now}. You have not been charged.`,
  agree: (total: string) => `Pay ${total} instead`,
  leave: "Don't pay",
  back: "Change",
  startAnew: "Start a new payment",
  openFor: (left: string) => `Open for ${left}`,
  over: "Its time is over. Don't send anything more; what you have sent already still comes to you.",
} as const;

export const slipTexts = {
  transferTitle: (amount: string) => `Transfer exactly ${amount}`,
  transferLead: "From your bank's app or USSD, to this account. It is yours for this payment alone.",
  bank: "Bank",
  number: "Account number",
  name: "Account name",
  amount: "Amount",
  reference: "Reference",
  until: (time: string) => `Open until ${time}. You may close this and come back to it from your dashboard.`,
  sent: "I have sent it",
  notYet: "It has not arrived yet. Transfers mostly take under a minute; this page follows by itself.",
  unaskedTitle: "We could not ask the bank just now",
  unasked:
    "Money that you have sent is not lost, and this page goes on asking. You will not be charged twice: don't send it again.",
  pay: (amount: string) => `Pay ${amount} by card`,
  cardLead: "You pay on the card company's page and come back here.",
  check: "Check the payment",
  done: "Done",
} as const;

/** The status of a payment after the person comes back from the payment page. */
export const returnedTexts = {
  asking: "Checking your payment…",
  waiting: "Not confirmed yet",
  waitingText: "The bank or card company has not told us the outcome. This page follows by itself.",
  failed: "This payment did not go through",
  expired: "This payment was left too long",
  expiredText: "It has ended. Money that you sent for it all the same still comes to you; else start a new one.",
  reversed: "This payment was taken back",
  reversedText: "The bank or card company took the money back after it had arrived.",
  dismiss: "Dismiss",
};

export const figureTexts = { hidden: "Hidden amount" } as const;
