export const shellTexts = {
  skip: "Skip to the content",
  menu: "Menu",
  sidebar: "Sidebar",
  openMenu: "Open menu",
  collapse: "Collapse sidebar",
  expand: "Expand sidebar",
  comingSoon: "Coming soon",
  version: "v1.0",
  help: "Help & Support",
  search: "Search savings groups",
  notifications: (unread: number) => (unread === 0 ? "Notifications" : `Notifications, ${unread} unread`),
  account: "Your account",
  profile: "Profile",
  security: "Security",
  logout: "Log out",
  items: {
    dashboard: { label: "Dashboard", caption: "Overview and analytics" },
    wallet: { label: "Wallet", caption: "Manage your funds" },
    activity: { label: "Activity", caption: "Transaction history" },
    savings: { label: "Group Savings", caption: "Collective savings" },
    corporate: { label: "Corporate", caption: "Business accounts" },
    profile: { label: "Profile", caption: "Account settings" },
    finance: { label: "Finance desk", caption: "Banks, payouts and differences" },
    operator: { label: "Operator", caption: "Ledger and read models" },
  },
} as const;

export const helpTexts = {
  title: "Help & Support",
  lead: "A person answers. Tell us what happened, and the reference of the payment if it is about one: it stands on its page under Activity.",
  mail: "support@adashi.ng",
  write: "Write to support",
  safety: "We never ask for your password, your card's PIN or a code sent to your phone.",
} as const;

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
} as const;
