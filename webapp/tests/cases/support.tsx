import { http } from "msw";
import { Route, Routes } from "react-router";
import type { Case, CaseRow } from "@/api/schema.gen";
import { SupportOnly } from "@/app/guards";
import { CasePage } from "@/features/cases/support/screens/CasePage";
import { Desk } from "@/features/cases/support/screens/Desk";
import { useStore } from "@/store/store";
import { ada, origin, yes } from "../kit/help";
import { network } from "../kit/network";

export const as = (...roles: string[]) =>
  useStore.setState({ session: { ...ada, roles: ["User", ...roles] }, authenticated: true });

export const app = (
  <Routes>
    <Route element={<SupportOnly />}>
      <Route path="/support" element={<Desk />} />
      <Route path="/support/:id" element={<CasePage />} />
    </Route>
  </Routes>
);

export const row = (more: Partial<CaseRow> = {}): CaseRow => ({
  id: "c1",
  number: "AD-7K2P-9QX3",
  kind: "WRONG_MONTH",
  status: "OPEN",
  title: "It went to the wrong due",
  amount: 5000,
  openedAt: "2026-11-20T10:00:00Z",
  decideBy: "2999-11-23T10:00:00Z",
  late: false,
  member: "Member 3F9A",
  isMine: false,
  stepCount: 1,
  ...more,
});

export const kase = (more: Partial<Case> = {}): Case => ({
  ...row(),
  userId: "u1",
  acknowledgeBy: "2999-11-21T10:00:00Z",
  isOpen: true,
  version: 1,
  subjects: ["MEMBER", "GROUP"],
  groupName: "Onitsha Savers",
  steps: [{ kind: "OPENED", position: 900, by: "MEMBER", at: "2026-11-20T10:00:00Z", words: "It went to October." }],
  ...more,
});
export const mine = (more: Partial<Case> = {}) =>
  kase({ status: "INVESTIGATING", isMine: true, staffName: "Ada O.", ...more });

/** The case, as what is done leaves it; what was done. */
export function serves(first: Case, next: (deed: string) => Case = () => first) {
  const state = {
    now: first,
    rows: 0,
    looks: 0,
    deeds: [] as [string, unknown][],
  };
  network.use(
    http.get(`${origin}/api/v1/support/cases/c1/row`, () => {
      state.rows += 1;
      return yes(row({ stepCount: state.now.stepCount, isMine: state.now.isMine }));
    }),
    http.get(`${origin}/api/v1/support/cases/c1`, () => {
      state.looks += 1;
      return yes(state.now);
    }),
    http.get(`${origin}/api/v1/support/cases/c1/plan`, () => yes({})),
    http.get(`${origin}/api/v1/support/cases/c1/labs`, () => yes([])),
    http.post(`${origin}/api/v1/support/cases/c1/:deed`, async ({ params, request }) => {
      const body = await request.text();
      const deed = String(params.deed);
      state.deeds.push([deed, body ? JSON.parse(body) : undefined]);
      if (deed === "names") return yes([{ userId: "u1", name: "Bisi Cole" }]);
      state.now = next(deed);
      return yes(state.now, "Recorded.");
    }),
  );
  return state;
}
