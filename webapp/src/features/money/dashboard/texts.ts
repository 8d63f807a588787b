export const dashboardTexts = {
  hello: (name: string) => `Hello, ${name}`,
  total: "Everything you hold",
  due: "Due next",
  nothingDue: "Nothing is due in the next 31 days.",
  pay: "Pay",
  groups: "Your groups",
  recent: "Recent activity",
  all: "See all",
  chart: "Your contributions by month",
  chartEmpty: "Your contributions show here, month by month.",
  month: "Month",
  contributed: "Contributed",
  toAnswer: (count: number) =>
    count === 1 ? "A question about your payment" : `${count} questions about your payments`,
  answer: "Answer",
  answerOf: (question: string) => `Answer: ${question}`,
  audit: "Audit desk",
  openDesk: "Open",
  toAudit: (count: number) => {
    if (count === 0) return "Every payment in the groups and ajo that you audit has been looked at.";
    if (count === 1) return "1 payment waits for you to look at it.";
    return `${count >= 1000 ? "999+" : count} payments wait for you to look at them.`;
  },
} as const;
