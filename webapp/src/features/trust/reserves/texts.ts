import { formatKobo } from "@/lib/money";

export const reservesTexts = {
  title: "Proof of reserves",
  lead: "What we owe our members, and what the banks hold for us, every day. The ledger keeps each of these.",
  latest: "The latest",
  earlier: "Earlier",
  owed: "Owed to members",
  owedHelp: "All wallets, groups, ajo and cards together, money on its way out included.",
  held: "Held by the banks",
  heldHelp: "What the banks themselves say that they hold for us.",
  unmatched: "Owner not known yet",
  inTransit: "On its way",
  difference: "Not accounted for",
  covered: "Covered: the banks hold at least what we owe, and the money whose owner is not known yet.",
  notCovered:
    "Not covered: the banks hold less than we owe and the money whose owner is not known yet. We are looking into it.",
  exact: "Nothing",
  rails: "Bank by bank",
  bank: "Bank",
  bankHas: "The bank says",
  ledgerHas: "Our ledger says",
  position: (position: number) => `Up to place ${position.toLocaleString("en-NG")} in the ledger`,
  yes: "Covered",
  no: "Not covered",
  noneTitle: "No count has been taken yet",
  none: "The banks are asked once a day; the first count shows here.",
  how: "How this works",
  howText:
    "Once a day the ledger is held against the banks' own statements, line by line, both ways. What fits nowhere is listed and looked into by two people. The result is written into the ledger, whose records can't be altered unseen.",
} as const;

export const countedTexts = {
  title: "Check that yours is counted",
  lead: "With each count we publish one fingerprint of everything that we owe. This browser can find your own money in it, and takes nobody's word for it.",
  check: "Check mine",
  again: "Check again",
  keep: "Keep the proof",
  file: (position: number) => `adashi-counted-${position}.json`,
  holds: (mine: number, all: number) =>
    `Yours is counted. Your ${formatKobo(mine)} is one of the parts of the ${formatKobo(all)} that Adashi owes.`,
  nothing: "Checked: you had nothing of your own with us at that count.",
  failed: "This does not hold. Keep the proof, and write to support: we may have counted yours wrongly.",
  impossible: "This browser can't check it. Open this page with another, up to date and by https.",
  counted: (at: string) => `As of ${at}`,
  yours: "What was found of yours",
  shared: "What is your group's or your ajo's is one sum for all of its members.",
  kinds: {
    WALLET: "Your wallet",
    WALLET_HELD: "Set aside from your wallet",
    SUB_ACCOUNT: "A group's money",
    SUB_ACCOUNT_HELD: "Set aside from a group's money",
    POT: "The pot of an ajo",
    DEPOSIT: "Your deposit in an ajo",
    CARD: "Your card",
  },
  proves: "What this proves",
  provesText:
    "That your money is in the sum, in full, under a fingerprint that everybody gets. It does not prove that nobody else was left out: only they can see that. The more members check, the harder it is to leave one out.",
  hidden: "A group's money is shown only to those who may see its total.",
  states: { passed: "Passed", failed: "Failed", open: "Not yet" },
  steps: {
    root: {
      title: "It is the fingerprint that everybody gets",
      passed: (root: string) => `The published one is the same: ${root.slice(0, 16)}…`,
      failed: "The published fingerprint or sum is another one.",
    },
    seen: {
      title: "It is the balance that you saw",
      passed: (kobo: number) => `Your movements left ${formatKobo(kobo)} in your wallet then, and so much is counted.`,
      failed: "Your movements left another amount in your wallet than is counted.",
    },
    path: {
      title: "Your money leads to the whole sum",
      passed: (parts: number) =>
        `It is counted in ${parts} parts, so that nobody reads your balance off theirs. Each of them leads to the fingerprint and the sum.`,
      failed: "A part of yours does not lead to the fingerprint and the sum.",
    },
    recorded: {
      title: "The ledger says so, and is signed",
      passed: (position: number) =>
        `Place ${position.toLocaleString("en-NG")} in the ledger says this fingerprint and sum, under a signed root.`,
      failed: "The ledger's record does not say this fingerprint and sum.",
      open: "The ledger has not sealed it yet. Check again in a minute.",
    },
  },
} as const;
