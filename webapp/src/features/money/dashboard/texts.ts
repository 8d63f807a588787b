const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

export const dashboardTexts = {
  hello: (name: string) => (name ? `Hello, ${name}` : "Hello"),
  hide: "Hide figures",
  show: "Show figures",
  fund: "Fund",
  withdraw: "Withdraw",
  savings: "Savings",
  agenda: "For you now",
  nothing: "Nothing waits for you. You are up to date.",
  more: (count: number) => `Show ${count} more`,
  due: (inDays: number) => {
    if (inDays < 0) return `${days(-inDays)} late`;
    if (inDays === 0) return "today";
    if (inDays === 1) return "tomorrow";
    return `in ${days(inDays)}`;
  },
  places: "Your groups and ajo",
  yours: "Yours",
  toPay: "You pay",
  group: "Group",
  ajo: "Ajo",
  ajoMembers: (count: number, of: number) => `${count} of ${of} people`,
  paid: (paid: number, of: number) => `${paid} of ${of} paid for this turn`,
  turn: (turn: number) => `You collect at turn ${turn}`,
  recent: "Last movements",
  all: "See all",
  noMovements: "No money has moved yet.",
  steps: {
    title: "Three steps to begin",
    done: "Done",
    join: {
      title: "Join or start a group",
      text: "Open the link that somebody sent you, or start your own.",
      button: "Start",
    },
    bank: {
      title: "Add your bank",
      text: "We verify your account and your BVN, so that money reaches you.",
      button: "Add",
    },
    money: { title: "Put in the first money", text: "A bank transfer costs nothing.", button: "Fund" },
  },
} as const;
