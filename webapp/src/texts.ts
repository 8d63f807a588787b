import * as shell from "./app/shell/texts";
import * as app from "./app/texts";
import * as account from "./features/account/texts";
import * as activity from "./features/activity/texts";
import * as ajo from "./features/ajo/texts";
import * as ajoAudit from "./features/ajoAudit/texts";
import * as ajoCard from "./features/ajoCard/texts";
import * as ajoDraw from "./features/ajoDraw/texts";
import * as ajoPay from "./features/ajoPay/texts";
import * as ajoRoom from "./features/ajoRoom/texts";
import * as audit from "./features/audit/texts";
import * as auditDesk from "./features/auditDesk/texts";
import * as corrections from "./features/corrections/texts";
import * as dashboard from "./features/dashboard/texts";
import * as disputes from "./features/disputes/texts";
import * as documents from "./features/documents/texts";
import * as dues from "./features/dues/texts";
import * as finance from "./features/finance/texts";
import * as group from "./features/group/texts";
import * as groupSettings from "./features/groupSettings/texts";
import * as groups from "./features/groups/texts";
import * as inviting from "./features/inviting/texts";
import * as joining from "./features/joining/texts";
import * as landing from "./features/landing/texts";
import * as members from "./features/members/texts";
import * as months from "./features/months/texts";
import * as notifications from "./features/notifications/texts";
import * as operator from "./features/operator/texts";
import * as pages from "./features/pages/texts";
import * as payments from "./features/payments/texts";
import * as profile from "./features/profile/texts";
import * as questions from "./features/questions/texts";
import * as requests from "./features/requests/texts";
import * as reserves from "./features/reserves/texts";
import * as search from "./features/search/texts";
import * as security from "./features/security/texts";
import * as standingOrders from "./features/standingOrders/texts";
import * as statements from "./features/statements/texts";
import * as subAccounts from "./features/subAccounts/texts";
import * as support from "./features/support/texts";
import * as unanswered from "./features/unanswered/texts";
import * as wallet from "./features/wallet/texts";
import * as withdrawals from "./features/withdrawals/texts";
import * as witness from "./features/witness/texts";
import * as draw from "./lib/draw/texts";
import * as ajoWords from "./lib/texts/ajo";
import * as common from "./lib/texts/common";
import * as errors from "./lib/texts/errors";
import * as money from "./lib/texts/money";
import * as outcome from "./lib/texts/outcome";
import * as owed from "./lib/texts/owed";
import * as savings from "./lib/texts/savings";
import { arrivedTexts as arrived } from "./ui/money/arrived";
import * as ui from "./ui/money/texts";

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
