import { counted } from "@/lib/texts/common";

export const noticeTexts = {
  title: "Notifications",
  lead: "What happened in your groups, your wallet and your account, newest first.",
  centre: "See them all",
  settings: "Choose what you are told",
  read: "Mark as read",
  readIt: (title: string) => `Mark as read: ${title}`,
  unreadCount: (count: number) => (count === 0 ? "You have read everything." : `${counted(count)} unread`),
  readAll: "Mark all as read",
  clear: "Clear all",
  confirmTitle: "Clear all notifications?",
  confirm: "They go for good. What they told you stays under Activity.",
  confirmYes: "Clear all",
  cancel: "Keep them",
  emptyTitle: "Nothing new",
  empty: "Payments, approvals and people joining your groups show here.",
  unread: "Unread",
  open: "Open",
} as const;
