export const activityTexts = {
  title: "Activity",
  lead: "Every naira that moved, newest first.",
  emptyTitle: "Nothing has moved yet",
  empty: "Fund your wallet, and its story starts here.",
  fund: "Go to your wallet",
  detail: {
    story: "What happened",
    entries: "The double entry, in plain words",
    entriesLead: "Every payment is written twice: where it came from, and where it went. The two always agree.",
    reference: "Reference",
    position: "Place in the ledger",
    positionText: (position: number) => `Number ${position.toLocaleString("en-NG")}`,
    leaf: "Fingerprint",
    leafHelp: "Anyone who holds this can check that the record was never altered.",
    date: "When",
    channel: "How",
    group: "Group",
    subAccount: "Sub-account",
    charge: "Charge",
    balanceAfter: "Wallet after it",
    settled: "It settled",
    proof: "Its record",
    debit: "Debit",
    credit: "Credit",
    back: "All activity",
    share: "Share receipt",
    pdf: "Receipt (PDF)",
    receiptFile: (position: number) => `adashi-receipt-${position}`,
    receiptKept: "The receipt is in your downloads.",
    receiptCode: "It carries a code that anybody can check, and none of your balances.",
  },
} as const;

/** Texts for finding movements, exporting them, and checking them. */
export const filterTexts = {
  search: "Search your movements",
  searchPlaceholder: "A group, a reference or an amount",
  filters: "Filters",
  active: (count: number) => (count === 0 ? "Filters" : `Filters, ${count} set`),
  kind: "What",
  direction: "Direction",
  channel: "How",
  group: "Group",
  from: "From",
  to: "To",
  all: "All",
  clear: "Clear filters",
  kinds: {
    funded: "Money in",
    contributions: "Contributions",
    withdrawals: "Withdrawals",
    paidOut: "Savings paid out",
    reversed: "Taken back",
    held: "Set aside",
  },
  directions: { IN: "In", OUT: "Out" },
  noneTitle: "Nothing fits",
  none: "No movement fits this search. Take a filter away, or choose other days.",
  list: "Movements, newest first",
  order: "The first day lies after the last.",
} as const;

export const exportTexts = {
  csv: "Download CSV",
  csvFile: "adashi-activity.csv",
  csvHelp: "Every movement that your search and filters let through.",
  statement: "Statement (PDF)",
  title: "Statement of your wallet",
  lead: "With opening and closing balance and every movement between two days.",
  code: "It carries a verification code. Whoever you hand it to can type the code on our verification page and compare what it says: an altered statement gives itself away.",
  verify: "See the verification page",
  from: "First day",
  to: "Last day",
  download: "Download statement",
  file: (from: string, to: string) => `adashi-statement-${from}-${to}.pdf`,
  done: "Your statement is downloaded.",
} as const;

export const proofTexts = {
  title: "Proof, checked here",
  lead: "This browser checks by itself that the record was never altered. Nobody's word is taken for it.",
  check: "Check the proof",
  again: "Check again",
  keep: "Keep the receipt",
  file: (position: number) => `adashi-receipt-${position}.json`,
  passed: "Checked: this record is in the ledger, unaltered.",
  withheldTitle: "You can't check this one yourself",
  why: "The record also says what the sub-account holds, which is hidden from members, and its fingerprint could tell it. It stands under the same signed root as every other entry, and its proof is here as soon as the owner shows the total.",
  failed: "This proof does not hold. Write to support with the reference, and keep this page.",
  impossible: "This browser can't check it. Open this page with another, up to date and by https.",
  states: { passed: "Passed", failed: "Failed" },
  steps: {
    same: {
      title: "It is about this movement",
      passed: (position: number) =>
        `Place ${position.toLocaleString("en-NG")} in the ledger, with the fingerprint shown above.`,
      failed: "The receipt is for another place or fingerprint than this movement's.",
    },
    record: {
      title: "The record has this fingerprint",
      passed: "SHA-256 of the record's bytes gives the fingerprint, to the letter.",
      failed: "The record's bytes give another fingerprint.",
    },
    path: {
      title: "The fingerprint leads to the ledger's root",
      passed: (hashes: number) =>
        `Joined with ${hashes} ${hashes === 1 ? "other fingerprint" : "other fingerprints"}, it gives the root of the whole ledger.`,
      failed: "The path does not lead to the root.",
    },
    checkpoint: {
      title: "The signed checkpoint names this root",
      passed: (size: number) =>
        `The checkpoint covers ${size.toLocaleString("en-NG")} records and names the same root.`,
      failed: "The checkpoint is for another root or size.",
    },
    signature: {
      title: "The ledger's key signed the checkpoint",
      passed: (name: string) => `The Ed25519 signature of ${name} is right.`,
      failed: "The signature is not that of the key.",
    },
  },
  key: "The ledger's public key",
  keyHelp: "Compare it with one that you got elsewhere: a key that only this page names proves less.",
  root: "Root of the ledger",
} as const;

export const chartTexts = {
  chart: "Your contributions by month",
  chartEmpty: "Your contributions show here, month by month.",
  month: "Month",
  contributed: "Contributed",
} as const;
