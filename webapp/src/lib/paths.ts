import { routes } from "./routes";

/** Every address of the product, as the router matches it. `paths` are for links. */
export const patterns = {
  ...routes.visitors,
  ...routes.everybody,
  ...routes.invited,
  ...routes.members,
  ...routes.staff,
  ...routes.finance,
  ...routes.support,
};

type Patterns = typeof patterns;

/** The name of a screen's address. */
export type ScreenName = keyof Patterns;

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

/** The address itself, or what makes it of its one part that varies. */
type Path<P> = P extends `${string}:${string}` ? (id: string) => string : P;

const asTheyAre = Object.fromEntries(
  Object.entries(patterns).map(([name, path]) => [name, path.includes(":") ? (id: string) => fill(path, id) : path]),
) as { [name in ScreenName]: Path<Patterns[name]> };

export const paths = {
  ...asTheyAre,
  demo: `${patterns.login}?demo=1`,
  editProfile: (section?: ProfileSection) => patterns.editProfile + (section ? `#${section}` : ""),
  freeze: `${patterns.security}#freeze`,
  fund: `${patterns.wallet}?fund=1`,
  newStandingOrder: ({ subAccountId, groupId, amount }: StandingFor) =>
    `${patterns.wallet}?${new URLSearchParams({ standing: subAccountId, groupId, amount: String(amount) })}`,
  finance: (tab?: FinanceTab) => patterns.finance + (tab ? `?tab=${tab}` : ""),
  verifyStatement: (code = "") => fill(patterns.verifyStatement, code).replace(/\/$/, ""),
  /** All documents of one's groups, or those of one group. */
  groupDocuments: (group?: string) => patterns.groupDocuments + (group ? `?group=${encodeURIComponent(group)}` : ""),
  invite: (group: string) => `${patterns.invite}?group=${encodeURIComponent(group)}`,
  members: (id: string, status?: string) => fill(patterns.members, id) + (status ? `?status=${status}` : ""),
  groupMore: (id: string) => `${fill(patterns.group, id)}?tab=more`,
  groupSettings: (id: string, section?: GroupSection) =>
    fill(patterns.groupSettings, id) + (section ? `#${section}` : ""),
  liquidations: (id: string, request?: string) =>
    fill(patterns.liquidations, id) + (request ? `?request=${encodeURIComponent(request)}` : ""),
  /** The sample of a month, on the desk of its group or ajo. */
  sample: (kind: "GROUP" | "AJO", id: string) =>
    `${fill(kind === "AJO" ? patterns.ajoAudit : patterns.audit, id)}?sample=1`,
  ajoDraw: (id = "") => fill(patterns.ajoDraw, id).replace(/\/$/, ""),
  newAjoCard: `${patterns.createAjo}?type=individual`,
  inviteAjo: (id: string) => `${patterns.inviteAjo}?ajoId=${encodeURIComponent(id)}`,
  joinAjo: (id: string, code = "") => fill(patterns.joinAjo, id) + (code ? `?code=${encodeURIComponent(code)}` : ""),
  ajoPayouts: (id: string, cycle?: number) =>
    fill(patterns.ajoPayouts, id) + (cycle === undefined ? "" : `?cycle=${cycle}`),
  ajoPayment: ({ ajoId, cycle, seat }: AjoPaymentFor) =>
    `${patterns.ajoPayment}?${new URLSearchParams({
      ajoId,
      ...(cycle === undefined ? {} : { cycle: String(cycle) }),
      ...(seat === undefined ? {} : { seat: String(seat) }),
    })}`,
  newDispute: (about?: DisputeAbout) => patterns.newDispute + (about ? `?${asQuery(about)}` : ""),
  support: (tab?: SupportTab) => patterns.support + (tab ? `?tab=${tab}` : ""),
  joinGroup: (id: string, code: string) => `${fill(patterns.joinGroup, id)}?code=${encodeURIComponent(code)}`,
  subAccountPayment: ({ subAccountId, groupId, period }: PaymentFor) =>
    `${patterns.subAccountPayment}?${new URLSearchParams({ subAccountId, groupId, ...(period ? { period } : {}) })}`,
};

/** The same place, written the same way: no slash at its end. */
export function samePlace(one: string, other: string): boolean {
  const bare = (path: string) => path.replace(/\/+$/, "") || "/";
  return bare(one) === bare(other);
}
