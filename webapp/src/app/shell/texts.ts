import { counted } from "@/lib/texts/common";

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
  notifications: (unread: number) => (unread === 0 ? "Notifications" : `Notifications, ${counted(unread)} unread`),
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
