/** What Adashi's own may do with a group. */
export const groupAdminTexts = {
  title: "A group",
  lead: "Suspending stops money in and out at once; nothing is lost. Rejecting is for a group that waits to become active.",
  which: "The group's number or the address of its page",
  whichFault: "Paste the address of the group's page, or its number.",
  act: "What is to be done?",
  acts: {
    suspend: { title: "Suspend", detail: "No contributions, no new requests for money, no payouts." },
    resume: { title: "Resume", detail: "Lifts a suspension." },
    reject: { title: "Reject", detail: "Ends a group that never became active, for good." },
  },
  reason: "Reason, told to the group",
  reasonFault: "Say why, in at least 3 characters.",
  go: "Continue",
  sure: { suspend: "Suspend this group?", resume: "Resume this group?", reject: "Reject this group for good?" },
  no: "Not now",
} as const;
