import * as shell from "./app/shell/texts";
import * as app from "./app/texts";
import * as ajoCard from "./features/ajo/card/texts";
import * as ajoDraw from "./features/ajo/draw/texts";
import * as ajo from "./features/ajo/home/texts";
import * as ajoPay from "./features/ajo/pay/texts";
import * as ajoRoom from "./features/ajo/room/texts";
import * as corrections from "./features/cases/corrections/texts";
import * as disputes from "./features/cases/disputes/texts";
import * as questions from "./features/cases/questions/texts";
import * as support from "./features/cases/support/texts";
import * as documents from "./features/groups/documents/texts";
import * as dues from "./features/groups/dues/texts";
import * as group from "./features/groups/frame/texts";
import * as groups from "./features/groups/home/texts";
import * as joining from "./features/groups/joining/texts";
import * as members from "./features/groups/members/texts";
import * as requests from "./features/groups/requests/texts";
import * as search from "./features/groups/search/texts";
import * as groupSettings from "./features/groups/settings/texts";
import * as subAccounts from "./features/groups/subAccounts/texts";
import * as activity from "./features/money/activity/texts";
import * as dashboard from "./features/money/dashboard/texts";
import * as finance from "./features/money/finance/texts";
import * as payments from "./features/money/payments/texts";
import * as standingOrders from "./features/money/standingOrders/texts";
import * as unanswered from "./features/money/unanswered/texts";
import * as wallet from "./features/money/wallet/texts";
import * as withdrawals from "./features/money/withdrawals/texts";
import * as notifications from "./features/notices/notifications/texts";
import * as account from "./features/people/account/texts";
import * as landing from "./features/people/landing/texts";
import * as pages from "./features/people/pages/texts";
import * as profile from "./features/people/profile/texts";
import * as security from "./features/people/security/texts";
import * as ajoAudit from "./features/trust/ajoAudit/texts";
import * as audit from "./features/trust/audit/texts";
import * as auditDesk from "./features/trust/auditDesk/texts";
import * as months from "./features/trust/months/texts";
import * as operator from "./features/trust/operator/texts";
import * as reserves from "./features/trust/reserves/texts";
import * as statements from "./features/trust/statements/texts";
import * as witness from "./features/trust/witness/texts";
import * as draw from "./lib/draw/texts";
import * as ajoWords from "./lib/texts/ajo";
import * as common from "./lib/texts/common";
import * as errors from "./lib/texts/errors";
import * as money from "./lib/texts/money";
import * as outcome from "./lib/texts/outcome";
import * as owed from "./lib/texts/owed";
import * as savings from "./lib/texts/savings";
import * as inviting from "./ui/inviting/texts";
import { arrivedTexts as arrived } from "./ui/money/arrived";
import * as ui from "./ui/money/texts";
import * as offline from "./ui/offline/texts";

/** A sentence, what makes one out of values, or more of them. */
type Texts =
  | string
  | number
  | undefined
  | ((...values: never[]) => unknown)
  | readonly Texts[]
  | { readonly [name: string]: Texts };

/** All that people read of the product, in one place; each feature's texts stand beside it. */
export const texts = {
  app,
  shell,
  account,
  activity,
  ajo,
  ajoAudit,
  ajoCard,
  ajoDraw,
  ajoPay,
  ajoRoom,
  ajoWords,
  audit,
  auditDesk,
  corrections,
  dashboard,
  disputes,
  documents,
  dues,
  finance,
  group,
  groupSettings,
  groups,
  inviting,
  joining,
  landing,
  members,
  months,
  notifications,
  offline,
  operator,
  outcome,
  owed,
  pages,
  payments,
  profile,
  questions,
  requests,
  reserves,
  search,
  security,
  standingOrders,
  statements,
  subAccounts,
  support,
  unanswered,
  arrived,
  wallet,
  withdrawals,
  witness,
  draw,
  common,
  errors,
  money,
  savings,
  ui,
} satisfies Record<string, Texts>;
