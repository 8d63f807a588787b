import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import type { Due, Group, SubAccount, UnsettledPage } from "@/api/schema.gen";
import { MembersPayments } from "@/features/groups/dues/screens/MembersPayments";
import { MyPayments } from "@/features/groups/dues/screens/MyPayments";
import { UnsettledPayments } from "@/features/groups/dues/screens/UnsettledPayments";
import { SubAccountPage } from "@/features/groups/subAccounts/screens/SubAccountPage";
import { SubAccounts } from "@/features/groups/subAccounts/screens/SubAccounts";
import { ada, origin, yes } from "./help";
import { network } from "./network";

export const group: Group = {
  id: "g1",
  name: "Balogun Traders",
  description: "",
  amount: 5000,
  memberCapacity: 50,
  memberCount: 3,
  startMonth: "January",
  startMonthId: 1,
  status: "ACTIVE",
  missing: [],
  ownerId: ada.id,
  role: "OWNER",
  memberStatus: "ACTIVE",
  totalHidden: false,
  userTotalSavings: 5000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 1,
  dueThisMonth: 3,
  dateCreated: "2026-01-05T09:00:00Z",
};
export const due = (more: Partial<Due> = {}): Due => ({
  subAccountId: "s1",
  subAccountName: "Monthly dues",
  groupId: "g1",
  groupName: group.name,
  period: "2026-10-01",
  label: "October 2026",
  monthId: 10,
  dueDate: "2026-10-31",
  amount: 5000,
  paid: 0,
  outstanding: 5000,
  status: "OVERDUE",
  ...more,
});
export const sub: SubAccount = {
  id: "s1",
  groupSavingsId: "g1",
  name: "Monthly dues",
  description: "",
  paymentType: "FIXED",
  paymentFrequency: "MONTHLY",
  amountPayable: 5000,
  totalHidden: false,
  showTotalToMembers: true,
  memberPayments: [],
  myTotal: 5000,
  dues: [],
};
export const debtor = (at: number): UnsettledPage["members"][number] => ({
  userId: `u${at}`,
  name: `Member ${at}`,
  outstanding: 10_000 - at,
  penalties: 0,
  dues: 2,
  oldest: "2026-09-30",
});

type Sent = [path: string, key: string | null, body: unknown];

/** A group's back end, with what was written to it. */
export function serve(as: Partial<Group> = {}, own: Due[] = []) {
  const sent: Sent[] = [];
  const keep = async (request: Request) => {
    sent.push([
      new URL(request.url).pathname,
      request.headers.get("Idempotency-Key"),
      await request.json().catch(() => undefined),
    ]);
  };
  network.use(
    http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () => yes({ ...group, ...as })),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({
        groupSavingsId: "g1",
        groupName: group.name,
        SubAccounts: [{ ...sub, totalHidden: as.totalHidden ?? false }],
      }),
    ),
    http.get(`${origin}/api/GroupSavings/user-unsettled-payments/g1/:user`, ({ params }) =>
      yes({
        total: params.user === ada.id ? own.reduce((sum, { outstanding }) => sum + outstanding, 0) : 5000,
        dues: params.user === ada.id ? own : [due()],
      }),
    ),
    http.get(`${origin}/api/v1/savings/groups/g1/waivers`, () => yes({ waivers: [] })),
    http.get(`${origin}/api/v1/savings/groups/g1/unsettled`, () =>
      yes({ members: [debtor(1), debtor(2), { ...debtor(3), remindedToday: true }], count: 3, total: 29_994 }),
    ),
    http.post(`${origin}/api/v1/savings/groups/g1/remind`, async ({ request }) => {
      await keep(request);
      return yes({ reminded: 1 }, "Reminded.");
    }),
    http.post(`${origin}/api/v1/savings/waivers`, async ({ request }) => {
      await keep(request);
      return yes({ id: "w1" }, "Asked.");
    }),
  );
  return { sent, keep };
}

export const app = (
  <Routes>
    <Route path="/savings/:id/unsettled-payments" element={<UnsettledPayments />} />
    <Route path="/savings/:id/members-payments" element={<MembersPayments />} />
    <Route path="/savings/:id/my-payments" element={<MyPayments />} />
    <Route path="/savings/:id/sub-accounts" element={<SubAccounts />} />
    <Route path="/savings/sub-account/:id" element={<SubAccountPage />} />
  </Routes>
);
export const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
export const at = (page: string) => `/savings/g1/${page}`;
