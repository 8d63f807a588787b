/** The words about a group's people: members, offices, settings, invitations. */
export const memberTexts = {
  search: "Find a member",
  searchPlaceholder: "A name",
  filter: "Show",
  filters: {
    ALL: "All",
    ACTIVE: "Active",
    PENDING: "Waiting",
    INVITED: "Invited",
    INACTIVE: "Inactive",
  },
  count: (count: number) => (count === 1 ? "1 member" : `${count.toLocaleString("en-NG")} members`),
  counted: (name: string, count: number) => `${name}, ${count.toLocaleString("en-NG")}`,
  none: "Nobody fits this search.",
  list: "Members, in the order they came",
  statuses: { INVITED: "Invited", PENDING: "Waiting", ACTIVE: "Active", INACTIVE: "Inactive" },
  view: "See",
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all shown",
  selected: (count: number) => `${count.toLocaleString("en-NG")} selected`,
  clear: "Clear",
  most: "At most 500 at once.",
  acts: { APPROVE: "Approve", REJECT: "Reject", DEACTIVATE: "Deactivate", REACTIVATE: "Reactivate" },
  actOn: (act: string, count: number) => `${act} ${count.toLocaleString("en-NG")}`,
  sure: {
    REJECT: {
      title: "Turn down their request to join?",
      text: "They may ask again later. They are told the reason.",
    },
    DEACTIVATE: {
      title: "Deactivate in this group?",
      text: "They can't contribute, keep their money and may ask for it back. You can reactivate them.",
    },
  },
  reason: "Reason",
  reasonFault: "Say why, in at least 3 characters.",
  keep: "Not now",
  resultsTitle: "How it went",
  done: (count: number) =>
    count === 1 ? "1 member was changed." : `${count.toLocaleString("en-NG")} members were changed.`,
  refused: (count: number) => (count === 1 ? "1 could not be:" : `${count.toLocaleString("en-NG")} could not be:`),
  close: "Close",
  saved: "Saved here",
  role: "Role",
  status: "Status",
  joined: "Joined",
  month: "This month",
  paid: "Paid",
  notPaid: "Not yet paid",
  you: "You",
  make: {
    validator: "Make validator",
    approver: "Make approver",
    notApprover: "Remove as approver",
    stepDown: "Step down as approver",
  },
  validatorTitle: (name: string) => `Make ${name} the validator?`,
  validatorText: "They check every payment against the bank. The present validator becomes a plain member again.",
  approverTitle: (name: string) => `Make ${name} an approver?`,
  approverText: "They let people in and approve payouts, as you do. A group has at most five approvers.",
  notApproverTitle: (name: string) => `Remove ${name} as approver?`,
  notApproverText: "They stay a member.",
  stepDownTitle: "Step down as approver?",
  stepDownText: "You stay a member. Only the owner can make you an approver again.",
} as const;

export const addTexts = {
  title: "Add a member",
  button: "Add member",
  lead: "They are invited and have 14 days to accept. Somebody without an account gets the invitation link by email.",
  email: "Their email",
  emailFault: "Enter an email address like name@example.com.",
  submit: "Invite",
} as const;

export const pickTexts = {
  search: "Find the member",
  placeholder: "A name",
  legend: "Member",
  none: "No active member has that name.",
  fault: "Choose a member.",
} as const;

export const officeTexts = {
  manage: "Manage",
  appointValidator: "Set validator",
  changeValidator: "Change validator",
  validatorLead: "The validator goes through the group's payments and checks them against the bank.",
  appointApprover: "Appoint an approver",
  approverLead: "Approvers let people in and decide on payouts. The validator can't be one.",
  full: "This group has five approvers, which is the most.",
  noValidator: "No validator yet",
  notYet: "can't decide on money yet: three days in office and a verified BVN",
} as const;

export const inviteTexts = {
  title: "Invite people",
  lead: "Whoever opens the link can ask to join. You approve each one.",
  leadOthers: "Whoever opens the link can ask to join. An approver lets them in.",
  choose: "To which group?",
  none: "You can invite people once you run a group or are one of its officials.",
  whatsapp: "WhatsApp",
  message: (group: string, link: string) => `Join ${group} on Adashi, and let us save together: ${link}`,
  messageLabel: "The message",
  back: "Back",
} as const;
