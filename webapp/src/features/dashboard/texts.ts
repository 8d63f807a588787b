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
} as const;
