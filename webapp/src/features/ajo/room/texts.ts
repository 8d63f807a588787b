export const roomTexts = {
  rules: "The rules",
  each: "Each hand pays",
  order: "Order",
  deposit: "Deposit",
  deposits: (count: number) => (count === 0 ? "None" : count === 1 ? "One contribution" : `${count} contributions`),
  grace: "Days of grace",
  penalty: "Late fee, once",
  fee: "Fee of a pot",
  feeOf: (percent: string, cap: string) => `${percent}, at most ${cap}`,
  owner: "Owner",
  validator: "Validator",
  finish: "Last due day",
} as const;

export const tabTexts = {
  label: "Parts of this ajo",
  tabs: { turns: "Turns", payments: "Payments", rules: "Rules", more: "More" },
} as const;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Record<string, string> = { one: "st", two: "nd", few: "rd" };
const ordinal = (count: number) => `${count}${endings[ordinals.select(count)] ?? "th"}`;

export const heroTexts = {
  of: "of",
  collects: (names: string) => `${names} collects this pot`,
  youCollect: "You collect this pot",
  toChoose: (day: string) => `The person who collects this pot is chosen by ${day}`,
  progress: (collected: string, expected: string) => `${collected} of ${expected}`,
  paid: (paid: number, of: number) => `${paid} of ${of} have paid`,
  missing: (amount: string) => `${amount} is missing`,
  due: (day: string, latest: string) => `Due ${day}, at the latest ${latest}.`,
  turn: (turn: number, day: string) => `${ordinal(turn)}, ${day}`,
  yourTurn: (turns: string) => `Your turn: ${turns}`,
  haveCollected: "You have collected.",
  havePaid: "You have paid this cycle.",
  free: (seats: number) =>
    seats === 0 ? "All seats are taken" : seats === 1 ? "One seat is free" : `${seats} seats are free`,
  still: {
    ORDERING: "The list is closed.",
    ACTIVE: "No pot fills now.",
    PAUSED: "This ajo is paused.",
    COMPLETED: "Every turn is over.",
    CANCELLED: "This ajo was cancelled.",
    TERMINATED: "This ajo ended early.",
  },
  drawAt: (at: string) => `The order is drawn on ${at}.`,
  beacon: "Nobody can know the draw before that moment. Everybody can check it after.",
  revealed: (count: number) => `${count} have revealed.`,
} as const;

export const nextTexts = {
  label: "Next for you",
  due: (day: string) => `Your share is due by ${day}.`,
  payDeposit: (amount: string) => `Pay ${amount}`,
  debtText: "It goes straight to the person you owe.",
  ready: (cycle: number, amount: string) => `Your pot of cycle ${cycle} is ready. You get ${amount}.`,
  readyPlain: (cycle: number) => `Your pot of cycle ${cycle} waits for you.`,
  collect: (amount: string) => `Collect ${amount}`,
  collectIt: (amount: string, cycle: number) => `Collect ${amount}: cycle ${cycle}`,
  seePayout: "See the payout",
  asks: (name: string, amount: string) => `${name} asks for ${amount}.`,
  waits: "A vote or a swap waits for your answer.",
  answer: "Answer",
  inviteText: "The list takes members.",
  invite: "Invite",
} as const;

export const readyTexts = {
  ready: (cycle: number, names: string) => `The pot of cycle ${cycle} is ready for ${names}`,
  readyMine: (cycle: number) => `Your pot of cycle ${cycle} is ready`,
  youGet: (amount: string) => `You get ${amount}`,
  gets: (name: string, amount: string) => `${name} gets ${amount}`,
  inPot: (amount: string) => `${amount} in the pot`,
  see: "See it",
  seePayout: (cycle: number) => `See the payout of cycle ${cycle}`,
  unasked: "Nobody has asked for the money yet",
} as const;

export const moreTexts = {
  title: "Pages of this ajo",
  invite: "Invite",
  payouts: "See the payouts",
  audit: "See the audit",
  months: "See the closed months",
} as const;

export const wheelTexts = {
  title: "The turns",
  lead: "Who collects when.",
  due: (day: string) => `due ${day}`,
  mine: "you",
  nobody: "Not decided yet",
  next: "Next",
  seats: "The seats",
  free: "Free",
  halfFree: "Half a hand is free",
  leaving: (day: string) => `A holder leaves; it can be taken over until ${day}`,
} as const;

export const potTexts = {
  title: "Payments",
  titleOpen: "Payments",
  who: "Who has paid",
  hasPaid: "Paid",
  hasNot: "Not yet",
  part: (paid: string, due: string) => `${paid} of ${due}`,
  covered: (by: string) => `Covered by ${by}`,
  owes: (amount: string) => `owes ${amount}`,
  coverIt: (name: string) => `Pay for ${name}`,
  coverWhat: (name: string, cycle: number) => `Cycle ${cycle} for ${name}`,
  coverText: "They owe it to you then.",
  gift: "As a gift",
  giftHelp: "They owe you nothing for it.",
} as const;

export const dueTexts = {
  none: "Nothing is due for you now.",
  what: (cycle: number, seat: number) => `Cycle ${cycle}, seat ${seat}`,
  by: (day: string) => `by ${day}`,
  depositTitle: "The deposit",
  deposit: (amount: string) => `${amount} is still to be paid before the list can be closed.`,
  depositPaid: (amount: string) => `Your deposit: ${amount}. What is not used comes back at the end.`,
  prepayTitle: "Leave by paying ahead",
  prepay: (amount: string) =>
    `Your turn to collect has come. Pay all that is left, ${amount}, and you owe nothing more here.`,
  prepayWhat: "All that is left",
} as const;

export const memberTexts = {
  title: "Members",
  table: "What each has paid in, collected and owes",
  paid: "Paid in",
  collected: "Collected",
  owed: "Owes",
  seat: "Seat",
  left: "Left",
  name: "Member",
} as const;

export const debtTexts = { title: "Debts" } as const;

export const openTexts = {
  termsTitle: "The terms have changed",
  terms: (until: string) => `Accept them by ${until}, or your place is freed and your deposit comes back.`,
  acceptTerms: "Accept the terms",
  pastTitle: "Cycles before Adashi",
  past: (owner: string) => `${owner} tells these cycles. They moved no money here. Is it right?`,
  pastLine: (cycle: number, seat: number, paid: number) =>
    `Cycle ${cycle}: seat ${seat} collected, ${paid} seats paid.`,
  confirm: "It is right",
  deny: "It is wrong",
  confirmed: "You confirmed it.",
  denied: "You said that it is wrong. The owner can correct it.",
  closeTitle: "Close the list",
  close: "Close the list",
  closeText: "Nobody joins or leaves after it. Then the order is set.",
  closeNeeds: "It still needs",
  closeYes: "Close it",
  propose: "The order that you propose",
  up: (seat: number) => `Seat ${seat} earlier`,
  down: (seat: number) => `Seat ${seat} later`,
  no: "Not yet",
  leave: "Leave this ajo",
  leaveTitle: "Leave this ajo?",
  leaveText: "Your places are freed, and your deposit comes back to your wallet.",
  leaveYes: "Leave",
  stay: "Stay",
  cancel: "Cancel this ajo",
  cancelTitle: "Cancel this ajo?",
  cancelText: "It ends for everybody, and all deposits come back.",
  reason: "Why?",
  reasonFault: "Say it in at least three letters.",
  cancelYes: "Cancel it",
} as const;

export const orderTexts = {
  title: "How the order is set",
  sealed: "List sealed",
  draws: "Draw at",
  round: "Beacon's round",
  digest: "Seal of the list",
  pseudonym: "You in the public draw",
  proof: "Fair draw ✓ · check it",
  details: "Proof",
  proposedTitle: "The order that the owner proposes",
  revealTitle: "Your phone draws along",
  reveal:
    "Reveal your phone's secret in time: whose secret is withheld collects last. The order is drawn once the time is over.",
  revealDo: "Reveal",
  revealLost: "This device does not have the secret. Open this page on the one that you joined with.",
  acceptTitle: "Do you accept this order?",
  accept: (until: string) => `Every seat accepts it by ${until}, or there is a draw.`,
  acceptDo: "Accept the order",
  accepted: (names: string) => `Accepted by ${names}.`,
  acceptedNone: "Nobody has accepted it yet.",
  place: (turn: number, seat: number) => `Cycle ${turn}: seat ${seat}`,
  changes: "Turns that changed since",
  changesText: "Two seats swapped, or one that owed moved behind the others.",
  change: (names: string, seat: number, now: number, before: number) =>
    `Seat ${seat} (${names}) collects in cycle ${now}, not ${before}.`,
} as const;

export const chooseTexts = {
  voteTitle: "Who needs this pot?",
  vote: "A secret vote, one for each seat; not for oneself. It counts until the due day, and can be changed.",
  voteFor: "Your vote",
  voteDo: "Vote",
  voted: (seat: number) => `You voted for seat ${seat}.`,
  bidTitle: "Bid for this pot",
  bid: (percent: string, step: string) =>
    `Offer a part of the pot, up to ${percent} in steps of ${step}. Sealed until the due day; this device keeps it.`,
  bidSeat: "For your seat",
  bidAmount: "You give up",
  bidDo: "Seal the bid",
  bidFault: (step: string, most: string) => `Bid a multiple of ${step}, and at most ${most}.`,
  bidSealed: "Your bid is sealed. You can seal another until the due day.",
  openTitle: "Open your bid",
  open: "The due day is over. A bid that is not opened counts as none.",
  openDo: "Open my bid",
  noRoom:
    "Your device has no room left to keep your bid, so it could never be opened. Nothing was sent. Make some room, then try again.",
  openLost: "This device does not have the bid. Open this page on the one that you sealed it with.",
} as const;

export const swapTexts = {
  title: "Swap turns",
  lead: "Both seats and the owner agree, and nobody of them owes anything.",
  line: (by: string, seat: number, withSeat: number) => `${by} proposes: seat ${seat} with seat ${withSeat}`,
  waits: (names: string) => `Waits for ${names}`,
  agree: "Agree",
  decline: "Decline",
  agreeIt: (seat: number, withSeat: number) => `Agree to swap seat ${seat} with seat ${withSeat}`,
  declineIt: (seat: number, withSeat: number) => `Decline to swap seat ${seat} with seat ${withSeat}`,
  mine: "My seat",
  other: "With",
  propose: "Propose a swap",
  option: (seat: number, turn: number, names: string) => `Seat ${seat}, cycle ${turn} (${names})`,
} as const;

export const motionTexts = {
  title: "Votes of all",
  lead: "Two thirds of the hands and the owner decide.",
  kind: {
    EXPEL: (about: string) => `Expel ${about}`,
    PAUSE: () => "Pause for one cycle",
    TERMINATE: () => "End this ajo early",
  },
  by: (by: string, until: string) => `Proposed by ${by}, open until ${until}`,
  count: (yes: number, no: number, of: number) => `${yes / 2} hands for, ${no / 2} against, of ${of / 2}`,
  agree: "For",
  against: "Against",
  agreeIt: (what: string) => `Vote for: ${what}`,
  againstIt: (what: string) => `Vote against: ${what}`,
  propose: "Put something to the vote",
  what: "What?",
  whom: "Whom?",
  expel: { title: "Expel somebody", detail: "After two misses that were not made good." },
  pause: { title: "Pause", detail: "No cycle is due for one period." },
  end: { title: "End it early", detail: "Whoever has not collected gets back what they paid in, from whom it helped." },
  reason: "Why?",
  fault: "Say it in at least three letters.",
  submit: "Put it to the vote",
  no: "Not now",
} as const;

export const placeTexts = {
  title: "My places",
  seat: (seat: number, hands: string) => `Seat ${seat}, ${hands}`,
  leaving: (until: string) => `Offered until ${until}`,
  price: (amount: string) => `Whoever takes it over pays ${amount}.`,
  give: "Give it up",
  giveIt: (seat: number) => `Give it up: seat ${seat}`,
  giveTitle: (seat: number) => `Give up seat ${seat}?`,
  giveText: "Somebody who takes it over pays you what you paid so far. Until then you go on paying.",
  giveYes: "Offer it",
  keep: "Keep it after all",
  keepIt: (seat: number) => `Keep it after all: seat ${seat}`,
  no: "Not now",
  consents: "Automatic payments",
  dues: "Pay my share automatically",
  duesHelp: "On its day, from my wallet. If the wallet holds too little, we try again on two later days.",
  sweep: "Pay my debts automatically",
  sweepHelp: "If I owe: half of all money that comes into my wallet, until the debt is paid.",
} as const;

export const payoutTexts = {
  title: "Payouts",
  lead: "Each pot, how it is or would be paid, and how far that is.",
  none: "No pot is ready yet. It is once all have paid, or its days of grace are over.",
  cycle: (cycle: number, names: string) => `Cycle ${cycle}: ${names}`,
  request: "Request payment",
  requestTitle: (cycle: number) => `Request the pot of cycle ${cycle}`,
  gross: "In the pot",
  fee: "Fee",
  vat: "VAT, inside the fee",
  netted: "Not in it: who collects keeps their own due",
  discount: "What you offered the others",
  missing: "Missing: it is owed to who collects",
  setOff: (to: string) => `Set off: to ${to}`,
  mine: "You get",
  destination: "Where to?",
  wallet: { title: "My wallet", detail: "At once, free." },
  bank: { title: "On to my bank", detail: "A withdrawal, with its own charges, to the account of your profile." },
  stepUp: "You are asked for your password first.",
  submit: (amount: string) => `Ask for ${amount}`,
  changedTitle: "The amount is another one now",
  changed: (before: string, now: string) => `You were told ${before}; now it is ${now}. Nothing was asked for.`,
  asked: (by: string, when: string) => `Asked for by ${by}, ${when}`,
  toBank: "On to the bank",
  approvals: (count: number, needed: number) => `${count} of ${needed} approvals`,
  approvedBy: (names: string) => `Approved by ${names}`,
  approvedByNone: "Nobody has approved it yet.",
  why: (cycle: number) => `It is the pot of cycle ${cycle}.`,
  needs: (who: string) => `Needs ${who} among them`,
  itself: (when: string) => `Pays itself on ${when}`,
  held: (until: string) => `On hold until ${until}`,
  paid: (when: string) => `Paid on ${when}`,
  approve: "Approve",
  approveIt: (cycle: number) => `Approve the payout of cycle ${cycle}`,
  approveTitle: (cycle: number) => `Approve the payout of cycle ${cycle}?`,
  goesTo: (amount: string, name: string, bank: boolean) =>
    bank
      ? `${amount} goes to ${name}: to their Adashi wallet, and from there to the bank account of their profile.`
      : `${amount} goes to ${name}, to their Adashi wallet.`,
  refuse: "Refuse",
  refuseIt: (cycle: number) => `Refuse the payout of cycle ${cycle}`,
  refuseTitle: "Refuse this payout?",
  refuseText: "It waits for some days, once; nobody can stop it for good.",
  refusals: {
    WRONG_PERSON: { title: "The wrong person", detail: "It is not this seat's turn." },
    DISPUTE: { title: "A dispute", detail: "What was paid in is not right." },
    DEBT: { title: "A debt", detail: "Who collects owes somebody here." },
  },
  refusalLegend: "Why?",
  reason: "Say what happened",
  fault: "Say it in at least three letters.",
  refuseYes: "Refuse it",
  no: "Not now",
  refused: (name: string, what: string, reason: string) => `${name}: ${what}. “${reason}”`,
  back: "Back to the ajo",
} as const;
