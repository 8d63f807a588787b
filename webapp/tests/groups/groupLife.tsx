import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import type { Group, GroupDetails, Member } from "@/api/schema.gen";
import { ada, no, origin, yes } from "../kit/help";
import { network } from "../kit/network";

export const group = (over: Partial<Group> = {}): Group => ({
  id: "g1",
  name: "Balogun Traders",
  description: "Stock before Christmas",
  amount: 5000,
  memberCapacity: 20,
  memberCount: 3,
  startMonth: "November",
  startMonthId: 11,
  status: "ACTIVE",
  missing: [],
  ownerId: ada.id,
  role: "OWNER",
  memberStatus: "ACTIVE",
  invitationLink: "https://adashi.example/savings/join-group/g1?code=c",
  activeBalance: 45000,
  totalHidden: false,
  userTotalSavings: 15000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 0,
  dueThisMonth: 0,
  dateCreated: "2026-11-01T09:00:00Z",
  ...over,
});

export const member = (userId: string, firstName: string, over: Partial<Member> = {}): Member => ({
  userId,
  firstName,
  lastName: "Eze",
  role: "MEMBER",
  status: "ACTIVE",
  paidThisMonth: false,
  dateJoined: "2026-11-01T09:00:00Z",
  ...over,
});

export const me = member(ada.id, "Ada", { role: "OWNER" });
export const bola = member("bola", "Bola");
export const chidi = member("chidi", "Chidi");
export const dayo = member("dayo", "Dayo", { status: "PENDING" });

export const details = (over: Partial<GroupDetails> = {}): GroupDetails => ({
  group: group(),
  officials: [me],
  waiting: 0,
  invited: 0,
  inactive: 0,
  subAccounts: 0,
  ...over,
});

export const api = (path: string) => `${origin}/api${path}`;

/** Notes what is sent to an address, and answers it. */
export function takes(
  method: "post" | "patch" | "delete",
  path: string,
  answer: () => Response = () => yes(undefined, "Done."),
) {
  const taken: { body: unknown; key: string | null; path: string }[] = [];
  network.use(
    http[method](api(path), async ({ request }) => {
      const text = await request.text();
      taken.push({
        body: text ? JSON.parse(text) : undefined,
        key: request.headers.get("Idempotency-Key"),
        path: new URL(request.url).pathname,
      });
      return answer();
    }),
  );
  return taken;
}

export function stands(now: Group, its: GroupDetails = details(), members: Member[] = [me, bola, chidi]) {
  const there = members.filter(({ userId }) => userId !== "nobody");
  network.use(
    http.get(api("/GroupSavings/GetGroupSavingsInfo/g1"), () => yes({ ...now, members: there })),
    http.get(api("/GroupSavings/GetGroupDetails/g1"), () => yes({ ...its, group: now })),
    http.get(api("/GroupSavings/GetGroupSubAccounts/g1"), () =>
      yes({ groupSavingsId: "g1", groupName: now.name, SubAccounts: [] }),
    ),
    http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () => yes([now])),
    http.get(api("/GroupSavings/member-savings/g1"), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const found = there.filter(
        ({ status, firstName }) =>
          (!query.get("status") || status === query.get("status")) &&
          firstName.toLowerCase().includes((query.get("q") ?? "").toLowerCase()),
      );
      return yes({ members: found, count: found.length });
    }),
    http.get(api("/Ledger/checkpoint"), () => no(404, "There is none yet.", "NOT_FOUND")),
    http.get(api("/Ledger/keys"), () => yes([])),
    http.get(api("/Ledger/epochs"), () => yes([])),
    http.get(api("/v1/savings/groups/g1/charts"), () => yes({ months: [], members: [] })),
  );
}

export const click = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
