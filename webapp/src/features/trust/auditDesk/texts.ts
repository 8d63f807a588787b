/** Texts of the desk across all groups and ajo of a validator. */
export const auditDeskTexts = {
  title: "Audit desk",
  lead: "All that waits for you in the groups and ajo that you audit, oldest first. A mark never moves money.",
  queuesLabel: "Queues",
  queues: {
    ODD: "Unusual",
    OLDEST: "To do",
    ANSWERED: "Answered",
    QUERIED: "Queried",
    DISPUTED: "Disputed",
    PAYOUTS: "Payouts",
    AJO: "Ajo",
    SAMPLE: "Sample",
  },
  counted: (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${count >= 1000 ? "999+" : count.toLocaleString("en-NG")})`,
  list: "Payments to look at, the oldest first",
  notYours: "The group's or ajo's validator marks it.",
  noneTitle: "All done",
  none: "Nothing waits for you here.",
  nobodyTitle: "You audit no group and no ajo",
  nobody: "A group's owner chooses its validator. Of an ajo it is whoever collects last.",
  groups: "Your groups",
  place: "Group or ajo",
  allPlaces: "All",
  file: "adashi-audit.csv",
} as const;
