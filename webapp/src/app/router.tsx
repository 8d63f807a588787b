import { isValidElement } from "react";
import { createRoutesFromElements, matchRoutes, Route, useRoutes } from "react-router";
import { patterns } from "@/lib/paths";
import { CardsSkeleton, FormSkeleton, PageSkeleton } from "@/ui/Skeletons";
import { FinanceOnly, LoginRequired, OnePerson, PublicOnly, StaffOnly, SupportOnly } from "./guards";
import { type LazyScreen, lazyScreen } from "./lazyScreen";
import { NotFound } from "./NotFound";
import { Shell } from "./shell/Shell";

const form = <FormSkeleton />;
const page = <PageSkeleton />;

const screens = {
  landing: lazyScreen(() => import("@/features/people/landing/screens/Landing").then((m) => m.Landing), form),
  login: lazyScreen(() => import("@/features/people/account/screens/Login").then((m) => m.Login), form),
  signup: lazyScreen(() => import("@/features/people/account/screens/Signup").then((m) => m.Signup), form),
  sendReset: lazyScreen(() => import("@/features/people/account/screens/SendReset").then((m) => m.SendReset), form),
  fromMail: lazyScreen(() => import("@/features/people/account/screens/FromMail").then((m) => m.FromMail), form),
  guardianConsent: lazyScreen(
    () => import("@/features/people/profile/screens/GuardianConsent").then((m) => m.GuardianConsent),
    form,
  ),
  changePassword: lazyScreen(
    () => import("@/features/people/account/screens/ChangePassword").then((m) => m.ChangePassword),
    form,
  ),
  pages: lazyScreen(() => import("@/features/people/pages/screens/Pages").then((m) => m.Pages), form),
  join: lazyScreen(() => import("@/features/groups/joining/screens/JoinGroup").then((m) => m.JoinGroup), form),
  dashboard: lazyScreen(() => import("@/features/money/dashboard/screens/Dashboard").then((m) => m.Dashboard), page),
  profile: lazyScreen(() => import("@/features/people/profile/screens/Profile").then((m) => m.Profile), page),
  editProfile: lazyScreen(
    () => import("@/features/people/profile/screens/EditProfile").then((m) => m.EditProfile),
    page,
  ),
  security: lazyScreen(() => import("@/features/people/security/screens/Security").then((m) => m.Security), page),
  notifications: lazyScreen(
    () => import("@/features/notices/notifications/screens/Notifications").then((m) => m.Notifications),
    page,
  ),
  wallet: lazyScreen(() => import("@/features/money/wallet/screens/Wallet").then((m) => m.Wallet), page),
  withdraw: lazyScreen(() => import("@/features/money/withdrawals/screens/Withdraw").then((m) => m.Withdraw), page),
  withdrawal: lazyScreen(
    () => import("@/features/money/withdrawals/screens/Withdrawal").then((m) => m.Withdrawal),
    page,
  ),
  reserves: lazyScreen(() => import("@/features/trust/reserves/screens/Reserves").then((m) => m.Reserves), page),
  activity: lazyScreen(() => import("@/features/money/activity/screens/Activity").then((m) => m.Activity), page),
  activityDetail: lazyScreen(
    () => import("@/features/money/activity/screens/ActivityDetail").then((m) => m.ActivityDetail),
    page,
  ),
  payment: lazyScreen(
    () => import("@/features/money/payments/screens/SubAccountPayment").then((m) => m.SubAccountPayment),
    page,
  ),
  savings: lazyScreen(() => import("@/features/groups/home/screens/Groups").then((m) => m.Groups), <CardsSkeleton />),
  createGroup: lazyScreen(() => import("@/features/groups/home/screens/CreateGroup").then((m) => m.CreateGroup), form),
  group: lazyScreen(() => import("@/features/groups/home/screens/GroupPage").then((m) => m.GroupPage), page),
  allGroups: lazyScreen(() => import("@/features/groups/home/screens/AllGroups").then((m) => m.AllGroups), page),
  groupDocuments: lazyScreen(
    () => import("@/features/groups/documents/screens/Documents").then((m) => m.Documents),
    page,
  ),
  invite: lazyScreen(() => import("@/features/groups/members/screens/InvitePeople").then((m) => m.InvitePeople), page),
  groupSettings: lazyScreen(
    () => import("@/features/groups/settings/screens/GroupSettings").then((m) => m.GroupSettings),
    page,
  ),
  members: lazyScreen(() => import("@/features/groups/members/screens/Members").then((m) => m.Members), page),
  subAccounts: lazyScreen(
    () => import("@/features/groups/subAccounts/screens/SubAccounts").then((m) => m.SubAccounts),
    page,
  ),
  unsettled: lazyScreen(
    () => import("@/features/groups/dues/screens/UnsettledPayments").then((m) => m.UnsettledPayments),
    page,
  ),
  membersPayments: lazyScreen(
    () => import("@/features/groups/dues/screens/MembersPayments").then((m) => m.MembersPayments),
    page,
  ),
  myPayments: lazyScreen(() => import("@/features/groups/dues/screens/MyPayments").then((m) => m.MyPayments), page),
  liquidations: lazyScreen(
    () => import("@/features/groups/requests/screens/LiquidationRequests").then((m) => m.LiquidationRequests),
    page,
  ),
  audit: lazyScreen(() => import("@/features/trust/audit/screens/Audit").then((m) => m.Audit), page),
  months: lazyScreen(() => import("@/features/trust/months/screens/Months").then((m) => m.Months), page),
  auditDesk: lazyScreen(() => import("@/features/trust/auditDesk/screens/AuditDesk").then((m) => m.AuditDesk), page),
  verifyStatement: lazyScreen(
    () => import("@/features/trust/statements/screens/VerifyStatement").then((m) => m.VerifyStatement),
    form,
  ),
  ajoDraw: lazyScreen(() => import("@/features/ajo/draw/screens/AjoDraw").then((m) => m.AjoDraw), form),
  ajoGroups: lazyScreen(
    () => import("@/features/ajo/home/screens/AjoGroups").then((m) => m.AjoGroups),
    <CardsSkeleton />,
  ),
  userAjos: lazyScreen(() => import("@/features/ajo/home/screens/UserAjos").then((m) => m.UserAjos), page),
  ajoTransactions: lazyScreen(
    () => import("@/features/ajo/home/screens/AjoTransactions").then((m) => m.AjoTransactions),
    page,
  ),
  createAjo: lazyScreen(() => import("@/features/ajo/home/screens/CreateAjo").then((m) => m.CreateAjo), form),
  inviteAjo: lazyScreen(() => import("@/features/ajo/home/screens/InviteAjo").then((m) => m.InviteAjo), page),
  joinAjo: lazyScreen(() => import("@/features/ajo/home/screens/JoinAjo").then((m) => m.JoinAjo), form),
  ajo: lazyScreen(() => import("@/features/ajo/room/screens/AjoPage").then((m) => m.AjoPage), page),
  ajoPayouts: lazyScreen(() => import("@/features/ajo/room/screens/AjoPayouts").then((m) => m.AjoPayouts), page),
  ajoAudit: lazyScreen(() => import("@/features/trust/ajoAudit/screens/AjoAudit").then((m) => m.AjoAudit), page),
  myAjo: lazyScreen(() => import("@/features/ajo/pay/screens/MyAjo").then((m) => m.MyAjo), page),
  ajoPayment: lazyScreen(() => import("@/features/ajo/pay/screens/AjoPayment").then((m) => m.AjoPayment), form),
  ajoCards: lazyScreen(() => import("@/features/ajo/card/screens/AjoCards").then((m) => m.AjoCards), page),
  ajoRound: lazyScreen(() => import("@/features/ajo/card/screens/AjoRound").then((m) => m.AjoRound), page),
  ajoCard: lazyScreen(() => import("@/features/ajo/card/screens/AjoCardPage").then((m) => m.AjoCardPage), page),
  disputes: lazyScreen(() => import("@/features/cases/disputes/screens/Disputes").then((m) => m.Disputes), page),
  newDispute: lazyScreen(() => import("@/features/cases/disputes/screens/NewDispute").then((m) => m.NewDispute), form),
  dispute: lazyScreen(() => import("@/features/cases/disputes/screens/DisputePage").then((m) => m.DisputePage), page),
  support: lazyScreen(() => import("@/features/cases/support/screens/Desk").then((m) => m.Desk), page),
  supportCase: lazyScreen(() => import("@/features/cases/support/screens/CasePage").then((m) => m.CasePage), page),
  finance: lazyScreen(() => import("@/features/money/finance/screens/Finance").then((m) => m.Finance), page),
  operator: lazyScreen(() => import("@/features/trust/operator/screens/Operator").then((m) => m.Operator), page),
  subAccount: lazyScreen(
    () => import("@/features/groups/subAccounts/screens/SubAccountPage").then((m) => m.SubAccountPage),
    page,
  ),
};

const routes = createRoutesFromElements(
  <>
    <Route element={<PublicOnly />}>
      <Route path={patterns.landing} element={screens.landing} />
      <Route path={patterns.login} element={screens.login} />
      <Route path={patterns.signup} element={screens.signup} />
      <Route path={patterns.verifyMail} element={screens.fromMail} />
      <Route path={patterns.sendReset} element={screens.sendReset} />
    </Route>
    <Route path={patterns.resetPassword} element={screens.fromMail} />
    <Route path={patterns.confirmEmail} element={screens.fromMail} />
    <Route path={patterns.undoChange} element={screens.fromMail} />
    <Route path={patterns.guardianConsent} element={screens.guardianConsent} />
    <Route path={patterns.terms} element={screens.pages} />
    <Route path={patterns.contact} element={screens.pages} />
    <Route path={patterns.faqs} element={screens.pages} />
    <Route path={patterns.verifyStatement} element={screens.verifyStatement} />
    <Route path={patterns.ajoDraw} element={screens.ajoDraw} />
    <Route element={<OnePerson />}>
      <Route path={patterns.joinGroup} element={screens.join} />
      <Route path={patterns.joinAjo} element={screens.joinAjo} />
    </Route>
    <Route element={<LoginRequired />}>
      <Route element={<Shell />}>
        <Route path={patterns.dashboard} element={screens.dashboard} />
        <Route path={patterns.changePassword} element={screens.changePassword} />
        <Route path={patterns.profile} element={screens.profile} />
        <Route path={patterns.editProfile} element={screens.editProfile} />
        <Route path={patterns.security} element={screens.security} />
        <Route path={patterns.notifications} element={screens.notifications} />
        <Route path={patterns.wallet} element={screens.wallet} />
        <Route path={patterns.withdraw} element={screens.withdraw} />
        <Route path={patterns.withdrawal} element={screens.withdrawal} />
        <Route path={patterns.reserves} element={screens.reserves} />
        <Route path={patterns.activity} element={screens.activity} />
        <Route path={patterns.activityDetail} element={screens.activityDetail} />
        <Route path={patterns.subAccountPayment} element={screens.payment} />
        <Route path={patterns.savings} element={screens.savings} />
        <Route path={patterns.createGroup} element={screens.createGroup} />
        <Route path={patterns.group} element={screens.group} />
        <Route path={patterns.allGroups} element={screens.allGroups} />
        <Route path={patterns.groupDocuments} element={screens.groupDocuments} />
        <Route path={patterns.invite} element={screens.invite} />
        <Route path={patterns.groupSettings} element={screens.groupSettings} />
        <Route path={patterns.members} element={screens.members} />
        <Route path={patterns.subAccounts} element={screens.subAccounts} />
        <Route path={patterns.subAccount} element={screens.subAccount} />
        <Route path={patterns.unsettled} element={screens.unsettled} />
        <Route path={patterns.membersPayments} element={screens.membersPayments} />
        <Route path={patterns.myPayments} element={screens.myPayments} />
        <Route path={patterns.liquidations} element={screens.liquidations} />
        <Route path={patterns.audit} element={screens.audit} />
        <Route path={patterns.auditDesk} element={screens.auditDesk} />
        <Route path={patterns.months} element={screens.months} />
        <Route path={patterns.ajoGroups} element={screens.ajoGroups} />
        <Route path={patterns.userAjos} element={screens.userAjos} />
        <Route path={patterns.ajoTransactions} element={screens.ajoTransactions} />
        <Route path={patterns.createAjo} element={screens.createAjo} />
        <Route path={patterns.inviteAjo} element={screens.inviteAjo} />
        <Route path={patterns.ajo} element={screens.ajo} />
        <Route path={patterns.ajoPayouts} element={screens.ajoPayouts} />
        <Route path={patterns.ajoAudit} element={screens.ajoAudit} />
        <Route path={patterns.myAjo} element={screens.myAjo} />
        <Route path={patterns.ajoPayment} element={screens.ajoPayment} />
        <Route path={patterns.ajoCards} element={screens.ajoCards} />
        <Route path={patterns.ajoRound} element={screens.ajoRound} />
        <Route path={patterns.ajoCard} element={screens.ajoCard} />
        <Route path={patterns.disputes} element={screens.disputes} />
        <Route path={patterns.newDispute} element={screens.newDispute} />
        <Route path={patterns.dispute} element={screens.dispute} />
      </Route>
      <Route element={<StaffOnly />}>
        <Route element={<Shell />}>
          <Route path={patterns.operator} element={screens.operator} />
        </Route>
      </Route>
      <Route element={<FinanceOnly />}>
        <Route element={<Shell />}>
          <Route path={patterns.finance} element={screens.finance} />
        </Route>
      </Route>
      <Route element={<SupportOnly />}>
        <Route element={<Shell />}>
          <Route path={patterns.support} element={screens.support} />
          <Route path={patterns.supportCase} element={screens.supportCase} />
        </Route>
      </Route>
    </Route>
    <Route path="*" element={<NotFound />} />
  </>,
);

export function Router() {
  return useRoutes(routes);
}

/** Has the screen of an address fetched before it is drawn, while the rest of the app still gets ready. */
export function fetchScreen(pathname: string) {
  const element = matchRoutes(routes, pathname)?.at(-1)?.route.element;
  if (isValidElement(element)) (element.type as Partial<LazyScreen>).fetch?.();
}
