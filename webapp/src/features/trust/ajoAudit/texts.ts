/** Texts of an ajo's audit. */
export const ajoAuditTexts = {
  title: "Audit of payments",
  back: "Back to the ajo",
  lead: {
    validator: "You collect last, so you audit: hold each payment against its evidence. A mark never moves money.",
    owner: "The validator audits. You mark only what concerns the validator. A mark never moves money.",
    member: "The validator, who collects last, marks every payment. Everybody here sees the marks.",
  },
  list: "Payments to look at, the oldest first",
  notYours:
    "The ajo's validator marks it; what concerns the validator, the owner; what concerns both, any other member.",
  cycle: "Cycle",
  allCycles: "All cycles",
  file: "adashi-ajo-audit.csv",
  notYet: "Nothing was paid here yet.",
} as const;
