export const chartTexts = {
  months: "Contributions by month",
  monthsOwn: "Your contributions by month",
  members: "Who saved most",
  month: "Month",
  in: "Contributed",
  out: "Paid out",
  member: "Member",
  saved: "Saved",
  empty: "Once somebody has paid, the months show here.",
  table: "Show as a table",
} as const;

/** The words of a group's pages and of the lists of groups. */
export const overviewTexts = {
  all: "All your groups",
  invitations: "You are invited",
  waiting: "Waiting in your groups",
  waitingLead: "They asked to join. Let in only those you know.",
  groups: "Your groups",
  asksFor: (group: string) => `asks to join ${group}`,
  more: (count: number) => `See all ${count.toLocaleString("en-NG")}`,
  nothingRuns: "None of your groups is running now.",
} as const;

export const createTexts = {
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  steps: {
    what: { title: "What is it for?", lead: "A name its people know, and what you are saving for." },
    money: {
      title: "Who saves how much?",
      lead: "You can collect for several things later, each with its own amount.",
    },
    sight: { title: "Who sees the total?", lead: "You can change this at any time." },
    sum: { title: "Is this right?", lead: "Nothing is created until you say so." },
  },
  descriptionHelp: "Members read this before they join.",
  amountHelp:
    "What a member is asked for in a usual month. “Monthly dues” is opened for it, so people can pay as soon as the group is active.",
  startHelp: "The month in which the group starts to save.",
  seen: { title: "All members", detail: "Everybody sees what the group has saved." },
  hidden: {
    title: "Officials only",
    detail: "Members see their own savings; you, the approvers and the validator see all.",
  },
  seenLegend: "Who sees the group's total?",
  next: "Continue",
  review: "Review",
  back: "Back",
  change: "Change",
  changeIt: (what: string) => `Change: ${what}`,
  young: "You can found a group from the age of 18 on",
  youngText: "Until then you can join one, with the consent of your parent or guardian.",
  toGroups: "Your groups",
  needs: "What happens next",
  opens: "The sub-account “Monthly dues” opens with the group:",
  opensFor: "a month from each member.",
  needsText:
    "Invite people and approve them. The group becomes active by itself once your BVN is verified and it has a validator and one more approver.",
} as const;

export const allGroupsTexts = {
  title: "All your groups",
  lead: "Those you save with, those you wait for, and those that ended.",
  search: "Find one of your groups",
  status: "Status",
  every: "All",
  none: "None of your groups fits this search.",
  count: (count: number) => (count === 1 ? "1 group" : `${count.toLocaleString("en-NG")} groups`),
} as const;

export const pageTexts = {
  settings: "Group settings",
  settingsDetail: (role: string) =>
    role === "OWNER" ? "Officials, what members see, closing" : "Officials, and leaving the group",
  in: "In this group",
  subAccounts: { title: "Sub-accounts", detail: "What the group collects for" },
  overdue: (count: number) => (count === 1 ? "1 member overdue" : `${count.toLocaleString("en-NG")} members overdue`),
  months: { title: "Closed months", detail: "What the validator looked at, by a draw" },
  documents: { title: "Documents", detail: "The group's papers" },
  invite: { title: "Invite people", detail: "Send them the group's link" },
  wrong: { title: "Something wrong?", detail: "Tell us, and a person looks at it" },
  next: "Your next step",
  pay: (amount: string) => `Pay ${amount}`,
  by: (day: string) => `by ${day}`,
  paidIn: (paid: number, of: number, month: string) => `${paid} of ${of} paid in ${month}`,
  setAside: (amount: string) => `${amount} more is set aside for payouts`,
  others: (count: number) => `and ${count.toLocaleString("en-NG")} more`,
  audited: (reviewed: number, total: number) =>
    `${reviewed.toLocaleString("en-NG")} of ${total.toLocaleString("en-NG")} payments validated`,
  nothingToAudit: "No payments to validate yet",
  toDesk: "Open the desk",
  check: {
    title: "Before the group is active",
    lead: "Members can join meanwhile. The group becomes active by itself with the last of these.",
    notActive: "This group is not active yet. You can pay once its officials have set it up.",
    progress: (done: number, of: number) => `${done} of ${of} done`,
    todo: { bvn: "Verify the owner's BVN", approver: "Appoint an approver", validator: "Appoint a validator" },
    all: "Show all steps",
    fewer: "Hide the steps",
    done: "Done",
    open: "Open",
    bvn: "The owner's BVN is verified",
    validator: "There is a validator",
    approver: "There is an approver besides the owner",
    verify: "Verify your BVN",
    invite: "Invite people first",
    payOutLead: "To pay out later, and no reason to wait with saving:",
    payOut: "Every official has a verified BVN and three days in office",
    notYet: (names: string[]) => `Not yet: ${names.join(", ")}. Until then they can't decide on money.`,
  },
  reason: (reason: string) => `Reason: ${reason}`,
  offeredTitle: "The owner offers this group to you",
  offered: "Accept and you become its owner; they stay an approver.",
  offeredGo: "See the offer",
  awayTitle: "The owner has been away",
  away: (day: string) => `Not seen since ${day}. The approvers may choose who takes over.`,
  awayGo: "Choose who takes over",
  successionTitle: "A vote is open on who takes over",
  succession: (name: string, votes: number, needed: number) => `${name} has ${votes} of ${needed} votes.`,
  successionGo: "See the vote",
} as const;

export const waitTexts = {
  title: "Waiting for you",
  more: (count: number) => `Show ${count.toLocaleString("en-NG")} more`,
} as const;

export const sealTexts = {
  checked: "Checked",
  verified: (size: number) => `Verified to event ${size.toLocaleString("en-NG")}`,
  ago: (seconds: number) =>
    seconds < 5
      ? "just now"
      : seconds < 60
        ? `${Math.floor(seconds / 5) * 5} s ago`
        : seconds < 3600
          ? `${Math.floor(seconds / 60)} min ago`
          : "over an hour ago",
  checking: "Checking the seal…",
  failed: "The seal does not hold",
  absent: "No seal at the moment",
  open: "Open the proof",
  title: "The seal, checked here",
  lead: "All events of all groups stand in one ledger. Its root is signed; this browser has checked the signature by itself.",
  size: "Events it covers",
  signer: "Signed by",
  origin: "Ledger",
  root: "Root of the ledger",
  key: "The ledger's public key",
  keyHelp: "Compare it with one that you got elsewhere: a key that only this page names proves less.",
  passed: "The signature is right, and the ledger continues what this browser saw before.",
  broken: (size: number) =>
    `The ledger no longer has the ${size.toLocaleString("en-NG")} events that this browser has seen, and nobody signed that. Write to support, and keep this page.`,
  putBack: (day: string, from: number, lost: number) =>
    `On ${day} the records were put back to event ${from.toLocaleString("en-NG")}, as the ledger's key signed. ${
      lost === 0
        ? "None is known to be lost."
        : `${lost.toLocaleString("en-NG")} that came after it ${lost === 1 ? "is" : "are"} lost.`
    }`,
  wrong: "The signature is not right. Write to support, and keep this page.",
  again: "Check again",
  each: "Each payment has its own proof, on its page under Activity.",
} as const;
