/** What moves money, by the one word that the device keeps of a command. */
export const moves: Record<string, string> = {
  pay: "A payment from your wallet to a group",
  cover: "A payment for somebody else in a group",
  payAjo: "A payment from your wallet to an ajo",
  withdraw: "A withdrawal",
  fund: "A request for a group's money",
  request: "Your word on a request for a group's money",
  ajoPayout: "A request for a pot",
  approvePayout: "An approval of a pot's payout",
  leave: "Leaving a group",
  leaveAjo: "Leaving an ajo",
  cancelAjo: "Calling an ajo off",
  takePlace: "Taking over a place in an ajo",
  join: "Joining a group",
  joinAjo: "Joining an ajo",
  breakCard: "Breaking a savings card",
  fillCard: "Filling a savings card",
  round: "A round of savings cards",
  plan: "A proposed correction",
  decidePlan: "Your word on a correction",
};

/** What else has a name; all other commands are something that the person asked for. */
export const others: Record<string, string> = {
  rail: "A payment by transfer or card",
  bid: "A bid for a turn",
  openBid: "Opening a bid",
  freeze: "Freezing your money, or ending that",
  consent: "What Adashi may take by itself",
  vote: "A vote",
  dispute: "A dispute",
  "standing-order": "A standing order",
  createGroup: "A new group",
  createAjo: "A new ajo",
  subAccount: "A new sub-account",
  openAjoCard: "A new savings card",
};

export const meanings = {
  free: "It may have been done. It moves no money, and you can ask for it again.",
  money:
    "It may have gone through. Whatever money it moves, it moves once. Don't do the same in another way before this is known.",
  once: "It may have been done. It is done only once, also if you ask for the same again.",
  rail: "It may have been started. What you have paid for it comes to you, once. Look at the open payments in your wallet before you start another one.",
  started: "It was started. Whether its money has come, the open payments in your wallet say.",
} as const;

interface Known {
  name: string;
  free?: boolean;
  started?: boolean;
}

export const unansweredTexts = {
  title: "No clear answer yet",
  button: (count: number) => `${count} ${count === 1 ? "thing has" : "things have"} no clear answer yet`,
  lead: "You asked for this, and no clear answer came. We go on asking what became of it.",
  what: (name: string) => moves[name] ?? others[name] ?? "Something that you asked for",
  /** What is known of the money. */
  meaning({ name, free, started }: Known): string {
    if (started) return meanings.started;
    if (free) return meanings.free;
    if (name === "rail") return meanings.rail;
    return name in moves ? meanings.money : meanings.once;
  },
  sent: (when: string) => `Sent ${when}`,
  wallet: "Open your wallet",
  seen: "I have looked",
  ask: "Ask again",
  askAbout: (what: string) => `Ask again: ${what}`,
  notYet: "There is no answer yet. We ask again by ourselves.",
} as const;
