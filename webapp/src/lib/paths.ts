/** Every address of the product. `patterns` are for the router, `paths` for links. */
export const patterns = {
  landing: "/",
  login: "/login",
  signup: "/signup",
  verifyMail: "/verifyMail",
  sendReset: "/send_forgot_password_mail",
  resetPassword: "/forgot_password",
  confirmEmail: "/confirm-email",
  undoChange: "/undo",
  guardianConsent: "/guardian-consent",
  terms: "/terms",
  contact: "/contact-us",
  faqs: "/faqs",
  changePassword: "/change_password",
  dashboard: "/dashboard",
  profile: "/dashboard/profile",
  editProfile: "/dashboard/profile/edit",
  security: "/dashboard/security",
  notifications: "/dashboard/notifications",
  wallet: "/dashboard/wallet/",
  withdraw: "/dashboard/wallet/withdraw",
  withdrawal: "/dashboard/wallet/withdrawals/:id",
  reserves: "/dashboard/reserves",
  activity: "/dashboard/activity",
  activityDetail: "/dashboard/activity/:id",
  subAccountPayment: "/dashboard/sub-account/payment",
  savings: "/savings",
  createGroup: "/savings/create",
  group: "/savings/:id",
  groupDocuments: "/savings/documents",
  allGroups: "/savings/user/all",
  invite: "/savings/group/invite",
  members: "/savings/:id/members",
  groupSettings: "/savings/:id/settings",
  subAccounts: "/savings/:id/sub-accounts",
  subAccount: "/savings/sub-account/:id",
  unsettled: "/savings/:id/unsettled-payments",
  membersPayments: "/savings/:id/members-payments",
  myPayments: "/savings/:id/my-payments",
  liquidations: "/savings/:id/liquidation-requests",
  audit: "/savings/:id/audit",
  auditDesk: "/audit",
  months: "/months/:id",
  joinGroup: "/savings/join-group/:groupId",
  operator: "/operator",
  finance: "/finance",
  verifyStatement: "/verify-statement/:code?",
  ajoDraw: "/ajo/draw/:id?",
  ajoGroups: "/ajo/groups/all",
  userAjos: "/ajo/user/groups",
  ajoTransactions: "/ajo/user/transactions",
  createAjo: "/ajo/group",
  inviteAjo: "/ajo/group/invite",
  joinAjo: "/ajo/join-group/:groupId",
  ajo: "/ajo/:id",
  ajoPayouts: "/ajo/:id/payment-requests",
  ajoAudit: "/ajo/:id/audit",
  myAjo: "/dashboard/ajo",
  ajoPayment: "/dashboard/ajo/payment",
  ajoCards: "/ajo/cards",
  ajoRound: "/ajo/cards/round",
  ajoCard: "/ajo/cards/:id",
  disputes: "/disputes",
  newDispute: "/disputes/new",
  dispute: "/disputes/:id",
  support: "/support",
  supportCase: "/support/:id",
} as const;

const fill = (pattern: string, value: string) => pattern.replace(/:\w+\??/, encodeURIComponent(value));

const asQuery = (of: object) =>
  new URLSearchParams(
    Object.entries(of).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

export interface PaymentFor {
  subAccountId: string;
  groupId: string;
  /** The due's first day. */
  period?: string;
}

/** A due of an ajo; its deposit where no cycle is said. */
export interface AjoPaymentFor {
  ajoId: string;
  cycle?: number;
  seat?: number;
}

/** The sub-account and the amount that a standing order is proposed for. */
export interface StandingFor {
  subAccountId: string;
  groupId: string;
  amount: number;
}

/** What a dispute is about: a movement, a cycle of an ajo, a due of a group; or nothing that is on screen. */
export type DisputeAbout =
  | { movement: string }
  | { request: string }
  | { ajo: string; cycle?: number }
  | { group: string; sub?: string; period?: string };

export type SupportTab = "open" | "mine" | "plans" | "remedies" | "over";

export type FinanceTab = "unmatched" | "reconciliation" | "payouts" | "debts" | "members" | "ajo";

/** The parts of the profile's form, by their anchor. */
export type ProfileSection = "personal" | "bank" | "documents" | "ajo" | "guardian" | "settings";

/** The parts of a group's settings, by their anchor. */
export type GroupSection = "visibility" | "officials" | "ownership" | "leave";

export const paths = {
  landing: patterns.landing,
  login: patterns.login,
  demo: `${patterns.login}?demo=1`,
  signup: patterns.signup,
  verifyMail: patterns.verifyMail,
  sendReset: patterns.sendReset,
  terms: patterns.terms,
  contact: patterns.contact,
  faqs: patterns.faqs,
  changePassword: patterns.changePassword,
  dashboard: patterns.dashboard,
  profile: patterns.profile,
  editProfile: (section?: ProfileSection) => patterns.editProfile + (section ? `#${section}` : ""),
  security: patterns.security,
  freeze: `${patterns.security}#freeze`,
  notifications: patterns.notifications,
  wallet: patterns.wallet,
  fund: `${patterns.wallet}?fund=1`,
  newStandingOrder: ({ subAccountId, groupId, amount }: StandingFor) =>
    `${patterns.wallet}?${new URLSearchParams({ standing: subAccountId, groupId, amount: String(amount) })}`,
  withdraw: patterns.withdraw,
  withdrawal: (id: string) => fill(patterns.withdrawal, id),
  reserves: patterns.reserves,
  activity: patterns.activity,
  activityDetail: (id: string) => fill(patterns.activityDetail, id),
  operator: patterns.operator,
  finance: (tab?: FinanceTab) => patterns.finance + (tab ? `?tab=${tab}` : ""),
  verifyStatement: (code = "") => fill(patterns.verifyStatement, code).replace(/\/$/, ""),
  savings: patterns.savings,
  createGroup: patterns.createGroup,
  group: (id: string) => fill(patterns.group, id),
  /** All documents of one's groups, or those of one group. */
  groupDocuments: (group?: string) => patterns.groupDocuments + (group ? `?group=${encodeURIComponent(group)}` : ""),
  allGroups: patterns.allGroups,
  invite: (group: string) => `${patterns.invite}?group=${encodeURIComponent(group)}`,
  members: (id: string, status?: string) => fill(patterns.members, id) + (status ? `?status=${status}` : ""),
  groupSettings: (id: string, section?: GroupSection) =>
    fill(patterns.groupSettings, id) + (section ? `#${section}` : ""),
  subAccounts: (id: string) => fill(patterns.subAccounts, id),
  subAccount: (id: string) => fill(patterns.subAccount, id),
  unsettled: (id: string) => fill(patterns.unsettled, id),
  membersPayments: (id: string) => fill(patterns.membersPayments, id),
  myPayments: (id: string) => fill(patterns.myPayments, id),
  liquidations: (id: string, request?: string) =>
    fill(patterns.liquidations, id) + (request ? `?request=${encodeURIComponent(request)}` : ""),
  audit: (id: string) => fill(patterns.audit, id),
  auditDesk: patterns.auditDesk,
  months: (id: string) => fill(patterns.months, id),
  /** The sample of a month, on the desk of its group or ajo. */
  sample: (kind: "GROUP" | "AJO", id: string) =>
    `${fill(kind === "AJO" ? patterns.ajoAudit : patterns.audit, id)}?sample=1`,
  ajoDraw: (id = "") => fill(patterns.ajoDraw, id).replace(/\/$/, ""),
  ajoGroups: patterns.ajoGroups,
  userAjos: patterns.userAjos,
  ajoTransactions: patterns.ajoTransactions,
  createAjo: patterns.createAjo,
  newAjoCard: `${patterns.createAjo}?type=individual`,
  inviteAjo: (id: string) => `${patterns.inviteAjo}?ajoId=${encodeURIComponent(id)}`,
  joinAjo: (id: string, code = "") => fill(patterns.joinAjo, id) + (code ? `?code=${encodeURIComponent(code)}` : ""),
  ajo: (id: string) => fill(patterns.ajo, id),
  ajoPayouts: (id: string, cycle?: number) =>
    fill(patterns.ajoPayouts, id) + (cycle === undefined ? "" : `?cycle=${cycle}`),
  ajoAudit: (id: string) => fill(patterns.ajoAudit, id),
  myAjo: patterns.myAjo,
  ajoPayment: ({ ajoId, cycle, seat }: AjoPaymentFor) =>
    `${patterns.ajoPayment}?${new URLSearchParams({
      ajoId,
      ...(cycle === undefined ? {} : { cycle: String(cycle) }),
      ...(seat === undefined ? {} : { seat: String(seat) }),
    })}`,
  ajoCards: patterns.ajoCards,
  ajoRound: patterns.ajoRound,
  ajoCard: (id: string) => fill(patterns.ajoCard, id),
  disputes: patterns.disputes,
  newDispute: (about?: DisputeAbout) => patterns.newDispute + (about ? `?${asQuery(about)}` : ""),
  dispute: (id: string) => fill(patterns.dispute, id),
  support: (tab?: SupportTab) => patterns.support + (tab ? `?tab=${tab}` : ""),
  supportCase: (id: string) => fill(patterns.supportCase, id),
  joinGroup: (id: string, code: string) => `${fill(patterns.joinGroup, id)}?code=${encodeURIComponent(code)}`,
  subAccountPayment: ({ subAccountId, groupId, period }: PaymentFor) =>
    `${patterns.subAccountPayment}?${new URLSearchParams({ subAccountId, groupId, ...(period ? { period } : {}) })}`,
} as const;

/** The same place, written the same way: no slash at its end. */
export function samePlace(one: string, other: string): boolean {
  const bare = (path: string) => path.replace(/\/+$/, "") || "/";
  return bare(one) === bare(other);
}
