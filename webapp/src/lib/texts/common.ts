export const helpTexts = {
  title: "Help & Support",
  lead: "A person answers. Tell us what happened, and the reference of the payment if it is about one: it stands on its page under Activity.",
  mail: "support@adashi.ng",
  write: "Write to support",
  safety: "We never ask for your password, your card's PIN or a code sent to your phone.",
} as const;

/** A number that nobody counts further than 99. */
export const counted = (count: number) => (count > 99 ? "99+" : String(count));

export const screenTexts = {
  oops: "Oops! Something went wrong",
  backToDashboard: "Back to dashboard",
  notFoundTitle: "There is no page here",
  notFound: "The address may be mistyped, or the page has moved. Nothing of yours is lost.",
  home: "Go to the start page",
  loadMore: "Show more",
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  back: "Back",
  wrong: "Something wrong?",
  disputes: "Your disputes",
} as const;
