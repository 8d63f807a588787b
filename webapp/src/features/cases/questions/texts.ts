/** Texts of what is asked and answered about a queried payment. */
export const questionTexts = {
  title: "The question about this payment",
  by: { MEMBER: "The member", AUDITOR: "The auditor" },
  you: "You",
  erased: "What was written here is erased.",
  label: { MEMBER: "Your answer", AUDITOR: "Ask more" },
  send: { MEMBER: "Answer", AUDITOR: "Ask" },
  file: "adashi-answer-file",
  short: "Say it in 3 characters at least.",
  resolved: "This question is resolved.",
  age: (days: number) => (days === 1 ? "Queried yesterday." : `Queried ${days} days ago.`),
  dispute: "Open a dispute",
  disputeLead: "Two weeks have passed and nobody resolved this. You may ask Support to decide.",
};
