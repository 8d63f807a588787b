import type { ComponentType, ReactNode } from "react";
import type { ScreenName } from "@/lib/paths";
import { CardsSkeleton, FormSkeleton, PageSkeleton } from "@/ui/Skeletons";
import { lazyScreen } from "./lazyScreen";

type Load = () => Promise<ComponentType>;

const form = (load: Load) => lazyScreen(load, <FormSkeleton />);
const page = (load: Load) => lazyScreen(load, <PageSkeleton />);
const cards = (load: Load) => lazyScreen(load, <CardsSkeleton />);

const fromMail = form(() => import("@/features/people/account/screens/FromMail").then((m) => m.FromMail));
const pages = form(() => import("@/features/people/pages/screens/Pages").then((m) => m.Pages));

/** The screen of each address in `lib/routes.js`. */
export const screens: Record<ScreenName, ReactNode> = {
  landing: form(() => import("@/features/people/landing/screens/Landing").then((m) => m.Landing)),
  login: form(() => import("@/features/people/account/screens/Login").then((m) => m.Login)),
  signup: form(() => import("@/features/people/account/screens/Signup").then((m) => m.Signup)),
  verifyMail: fromMail,
  sendReset: form(() => import("@/features/people/account/screens/SendReset").then((m) => m.SendReset)),
  resetPassword: fromMail,
  confirmEmail: fromMail,
  undoChange: fromMail,
  guardianConsent: form(() =>
    import("@/features/people/profile/screens/GuardianConsent").then((m) => m.GuardianConsent),
  ),
  terms: pages,
  contact: pages,
  faqs: pages,
  verifyStatement: form(() =>
    import("@/features/trust/statements/screens/VerifyStatement").then((m) => m.VerifyStatement),
  ),
  ajoDraw: form(() => import("@/features/ajo/draw/screens/AjoDraw").then((m) => m.AjoDraw)),
  joinGroup: form(() => import("@/features/groups/joining/screens/JoinGroup").then((m) => m.JoinGroup)),
  joinAjo: form(() => import("@/features/ajo/home/screens/JoinAjo").then((m) => m.JoinAjo)),
  dashboard: page(() => import("@/features/money/dashboard/screens/Dashboard").then((m) => m.Dashboard)),
  changePassword: form(() => import("@/features/people/account/screens/ChangePassword").then((m) => m.ChangePassword)),
  profile: page(() => import("@/features/people/profile/screens/Profile").then((m) => m.Profile)),
  editProfile: page(() => import("@/features/people/profile/screens/EditProfile").then((m) => m.EditProfile)),
  security: page(() => import("@/features/people/security/screens/Security").then((m) => m.Security)),
  notifications: page(() =>
    import("@/features/notices/notifications/screens/Notifications").then((m) => m.Notifications),
  ),
  wallet: page(() => import("@/features/money/wallet/screens/Wallet").then((m) => m.Wallet)),
  withdraw: page(() => import("@/features/money/withdrawals/screens/Withdraw").then((m) => m.Withdraw)),
  withdrawal: page(() => import("@/features/money/withdrawals/screens/Withdrawal").then((m) => m.Withdrawal)),
  reserves: page(() => import("@/features/trust/reserves/screens/Reserves").then((m) => m.Reserves)),
  activity: page(() => import("@/features/money/activity/screens/Activity").then((m) => m.Activity)),
  activityDetail: page(() => import("@/features/money/activity/screens/ActivityDetail").then((m) => m.ActivityDetail)),
  subAccountPayment: page(() =>
    import("@/features/money/payments/screens/SubAccountPayment").then((m) => m.SubAccountPayment),
  ),
  savings: cards(() => import("@/features/groups/home/screens/Groups").then((m) => m.Groups)),
  createGroup: form(() => import("@/features/groups/home/screens/CreateGroup").then((m) => m.CreateGroup)),
  group: page(() => import("@/features/groups/home/screens/GroupPage").then((m) => m.GroupPage)),
  groupDocuments: page(() => import("@/features/groups/documents/screens/Documents").then((m) => m.Documents)),
  allGroups: page(() => import("@/features/groups/home/screens/AllGroups").then((m) => m.AllGroups)),
  invite: page(() => import("@/features/groups/members/screens/InvitePeople").then((m) => m.InvitePeople)),
  members: page(() => import("@/features/groups/members/screens/Members").then((m) => m.Members)),
  groupSettings: page(() => import("@/features/groups/settings/screens/GroupSettings").then((m) => m.GroupSettings)),
  subAccounts: page(() => import("@/features/groups/subAccounts/screens/SubAccounts").then((m) => m.SubAccounts)),
  subAccount: page(() => import("@/features/groups/subAccounts/screens/SubAccountPage").then((m) => m.SubAccountPage)),
  unsettled: page(() => import("@/features/groups/dues/screens/UnsettledPayments").then((m) => m.UnsettledPayments)),
  membersPayments: page(() => import("@/features/groups/dues/screens/MembersPayments").then((m) => m.MembersPayments)),
  myPayments: page(() => import("@/features/groups/dues/screens/MyPayments").then((m) => m.MyPayments)),
  liquidations: page(() =>
    import("@/features/groups/requests/screens/LiquidationRequests").then((m) => m.LiquidationRequests),
  ),
  audit: page(() => import("@/features/trust/audit/screens/Audit").then((m) => m.Audit)),
  auditDesk: page(() => import("@/features/trust/auditDesk/screens/AuditDesk").then((m) => m.AuditDesk)),
  months: page(() => import("@/features/trust/months/screens/Months").then((m) => m.Months)),
  ajoGroups: cards(() => import("@/features/ajo/home/screens/AjoGroups").then((m) => m.AjoGroups)),
  userAjos: page(() => import("@/features/ajo/home/screens/UserAjos").then((m) => m.UserAjos)),
  ajoTransactions: page(() => import("@/features/ajo/home/screens/AjoTransactions").then((m) => m.AjoTransactions)),
  createAjo: form(() => import("@/features/ajo/home/screens/CreateAjo").then((m) => m.CreateAjo)),
  inviteAjo: page(() => import("@/features/ajo/home/screens/InviteAjo").then((m) => m.InviteAjo)),
  ajo: page(() => import("@/features/ajo/room/screens/AjoPage").then((m) => m.AjoPage)),
  ajoPayouts: page(() => import("@/features/ajo/room/screens/AjoPayouts").then((m) => m.AjoPayouts)),
  ajoAudit: page(() => import("@/features/trust/ajoAudit/screens/AjoAudit").then((m) => m.AjoAudit)),
  myAjo: page(() => import("@/features/ajo/pay/screens/MyAjo").then((m) => m.MyAjo)),
  ajoPayment: form(() => import("@/features/ajo/pay/screens/AjoPayment").then((m) => m.AjoPayment)),
  ajoCards: page(() => import("@/features/ajo/card/screens/AjoCards").then((m) => m.AjoCards)),
  ajoRound: page(() => import("@/features/ajo/card/screens/AjoRound").then((m) => m.AjoRound)),
  ajoCard: page(() => import("@/features/ajo/card/screens/AjoCardPage").then((m) => m.AjoCardPage)),
  disputes: page(() => import("@/features/cases/disputes/screens/Disputes").then((m) => m.Disputes)),
  newDispute: form(() => import("@/features/cases/disputes/screens/NewDispute").then((m) => m.NewDispute)),
  dispute: page(() => import("@/features/cases/disputes/screens/DisputePage").then((m) => m.DisputePage)),
  operator: page(() => import("@/features/trust/operator/screens/Operator").then((m) => m.Operator)),
  finance: page(() => import("@/features/money/finance/screens/Finance").then((m) => m.Finance)),
  support: page(() => import("@/features/cases/support/screens/Desk").then((m) => m.Desk)),
  supportCase: page(() => import("@/features/cases/support/screens/CasePage").then((m) => m.CasePage)),
};
