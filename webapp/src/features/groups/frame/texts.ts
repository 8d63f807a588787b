export const pickTexts = {
  subAccount: "Sub-account",
  all: "All sub-accounts",
  search: "Search members",
  searchPlaceholder: "A name",
} as const;

export const invitedTexts = {
  accept: "Accept",
  decline: "Decline",
  acceptTo: (group: string) => `Accept: ${group}`,
  declineTo: (group: string) => `Decline: ${group}`,
  until: (day: string) => `Answer by ${day}.`,
  title: "You are invited to this group",
  text: "Accept, and its people can count on you. Declining tells nobody why.",
  declineTitle: "Decline this invitation?",
  declineText: (group: string) => `${group} can invite you again later.`,
  keep: "Not now",
} as const;

export const groupTexts = {
  total: "Saved in this group",
  thisMonth: "This month",
  nobody: "Nothing is due from anybody this month.",
  nobodysBusiness: "Only the officials see who has paid.",
  subAccounts: "Sub-accounts",
  noSubAccounts: "No sub-accounts yet",
  noSubAccountsText: "A sub-account is one thing the group collects for, such as monthly dues.",
  newSubAccount: "New sub-account",
  all: "See all",
  nextDue: "Your next payment",
  nothingDue: "You owe nothing now.",
  pay: "Pay",
  invite: "Invite people",
  pending: "Waiting to join",
  members: "Members",
  officials: "Officials",
  roles: { OWNER: "Owner", APPROVER: "Approver", VALIDATOR: "Validator", MEMBER: "Member" },
  joined: (day: string) => `joined ${day}`,
  paidTick: "paid this month",
  notPaid: "not yet paid",
  waitTitle: "You asked to join",
  waitText: "An approver of this group lets you in. This page follows by itself.",
  outsideTitle: "This group is open to its members",
  outside: "Ask one of them for the invitation link, open it, and join.",
  outsideAction: "Your groups",
} as const;

export const frameTexts = {
  tabs: {
    label: "Parts of the group",
    names: {
      overview: "Overview",
      payments: "Payments",
      members: "Members",
      requests: "Requests",
      more: "More",
    },
  },
  ended: {
    SUSPENDED: {
      title: "This group is suspended",
      text: "Nothing can be paid in or out until Adashi lifts it. All money stays where it is.",
    },
    CLOSING: {
      title: "This group is closing",
      text: "It takes no more contributions and pays out what it holds.",
    },
    CLOSED: { title: "This group is closed", text: "It holds nothing any more. Its records stay here." },
    REJECTED: { title: "This group was rejected", text: "It never became active, and nothing was paid into it." },
    CANCELLED: { title: "This group was cancelled", text: "It never became active, and nothing was paid into it." },
  },
  inactiveTitle: "You are inactive in this group",
  inactive: "You can't contribute now. Your money is kept, and you may ask for it back.",
};
