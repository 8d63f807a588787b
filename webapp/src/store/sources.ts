import * as account from "@/api/account";
import * as activity from "@/api/activity";
import { failureText, walletFailureText } from "@/api/failure";
import * as lookups from "@/api/lookups";
import { getCards } from "@/api/payments";
import { getReceipt } from "@/api/records";
import * as savings from "@/api/savings";
import type { Account, Group, GroupSubAccounts } from "@/api/schema.gen";
import * as wallet from "@/api/wallet";
import { errorTexts } from "@/lib/texts/errors";
import type { Source } from "./source";

/** A source of one group: its screens follow the group. */
export const ofGroup = (groupId: string) => ({ area: "savings", topics: [`group:${groupId}`] }) as const;

/** A source of the wallet, which has sentences of its own. */
export const ofWallet = { area: "wallet", topics: ["wallet"], text: walletFailureText } as const;

const source = <T>(of: Source<T>) => of;
const list = <T, K extends keyof T>(of: Source<T> & { rows: K }) => of;

export const balancesSource = source({
  ...ofWallet,
  key: "balances",
  shared: true,
  kept: true,
  read: ({ me }) => wallet.getBalances(me.email),
});

export const movementsSource = list({
  ...ofWallet,
  key: "walletMovements",
  shared: true,
  kept: 100,
  rows: "transactions",
  read: ({ before, me }) => wallet.getTransactions(me.email, before),
});

export const openPaymentsSource = source({
  ...ofWallet,
  key: "openPayments",
  shared: true,
  read: wallet.getOpenPayments,
  text: (error) => failureText(error, errorTexts.failedTo.transactions),
});

export const cardsSource = source({ key: "cards", area: "payment", read: getCards, text: walletFailureText });

/** Being let into a group is told by a notification to people who don't follow it yet. */
export const groupsSource = source<Group[]>({
  key: "groups",
  area: "savings",
  topics: ["group", "notifications"],
  shared: true,
  kept: true,
  read: ({ me }) => savings.getGroups(me.id),
});

export const groupSource = (id: string) =>
  source<Group>({ ...ofGroup(id), key: `group:${id}`, shared: true, kept: true, read: () => savings.getGroup(id) });

export const subAccountsSource = (groupId: string) =>
  source<GroupSubAccounts>({
    ...ofGroup(groupId),
    key: `subAccounts:${groupId}`,
    shared: true,
    kept: true,
    read: () => savings.getSubAccounts(groupId),
  });

export const dashboardSource = source({
  key: "dashboard",
  area: "activity",
  topics: ["wallet", "activity", "group"],
  shared: true,
  kept: true,
  read: activity.getDashboard,
});

/** What waits for the person signed in, in every area. */
export const agendaSource = source({
  key: "agenda",
  area: "activity",
  topics: ["wallet", "activity", "group", "ajo", "disputes", "account", "notifications"],
  shared: true,
  kept: true,
  read: activity.getAgenda,
});

export const newestActivitySource = source({
  key: "newestActivity",
  area: "activity",
  topics: ["activity"],
  shared: true,
  kept: true,
  read: activity.getActivity,
});

export const movementSource = (id: string) =>
  source({
    key: `activity:${id}`,
    area: "activity",
    shared: true,
    kept: true,
    read: () => activity.getActivityDetail(id),
  });

/** A receipt with its checkpoint: the app checks it without a network, too. */
export const receiptSource = (id: string) =>
  source({ key: `receipt:${id}`, area: "activity", kept: true, read: () => getReceipt(id) });

/** The number on the bell of every screen. */
export const unreadSource = source({
  key: "unread",
  area: "account",
  topics: ["notifications"],
  shared: true,
  read: activity.getUnread,
});

export const notificationsSource = list({
  key: "notifications",
  area: "account",
  topics: ["notifications"],
  shared: true,
  kept: 50,
  rows: "notifications",
  read: ({ before }) => activity.getNotifications(before),
  text: (error) => failureText(error, errorTexts.failedTo.notifications),
});

/** A BVN that is being looked up and a guardian's answer come by notification. */
const isWaiting = ({ bvnStatus, guardian }: Account) => bvnStatus === "PENDING" || guardian?.status === "ASKED";

export const profileSource = source<Account>({
  key: "profile",
  area: "account",
  topics: (known) => (known && isWaiting(known) ? ["account", "notifications"] : ["account"]),
  shared: true,
  read: ({ me }) => account.getProfile(me.id),
});

const lookup = <T>(key: string, read: Source<T>["read"]) => source({ key, area: "account", shared: true, read });

export const gendersSource = lookup("genders", lookups.getGenders);
export const statesSource = lookup("states", lookups.getStates);
export const banksSource = lookup("banks", lookups.getBanks);
export const demoSource = lookup("demo", lookups.getDemo);
export const faqsSource = lookup("faqs", lookups.getFaqs);
