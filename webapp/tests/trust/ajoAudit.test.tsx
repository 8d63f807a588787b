import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Ajo, AuditPayment } from "@/api/schema.gen";
import { AjoAudit } from "@/features/trust/ajoAudit/screens/AjoAudit";
import { ajo } from "../kit/ajo";
import { origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const payment = (at: number, more: Partial<AuditPayment> = {}): AuditPayment => ({
  id: `e${at}`,
  kind: "CONTRIBUTION",
  userId: `u${at}`,
  name: `Member ${at}`,
  subAccountId: "a1",
  subAccountName: `Cycle ${at}, seat 1`,
  amount: 10_000,
  date: "2026-11-02T10:00:00Z",
  channel: "WALLET",
  mark: "UNREVIEWED",
  answered: false,
  oddities: [],
  evidence: [],
  mayMark: true,
  ...more,
});

/** The back end of an ajo's audit. Answers what was asked for, and what was marked. */
function desk(me: Partial<Ajo["me"]>, payments: AuditPayment[]) {
  const asked: string[] = [];
  const marked: unknown[] = [];
  const coverage = {
    total: payments.length,
    validated: 0,
    queried: 0,
    resolved: 0,
    unreviewed: payments.length,
    percent: 0,
    months: [],
  };
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(ajo({ me: { ...ajo().me, isOwner: false, ...me } }))),
    http.get(`${origin}/api/v1/ajo/a1/audit`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return yes({ payments, coverage });
    }),
    http.post(`${origin}/api/v1/ajo/a1/audit`, async ({ request }) => {
      marked.push(await request.json());
      return yes(coverage, "Marked.");
    }),
  );
  return { asked, marked };
}

const opens = (at = "/ajo/a1/audit") =>
  show(
    <Routes>
      <Route path="/ajo/:id/audit" element={<AjoAudit />} />
    </Routes>,
    at,
  );

beforeEach(signIn);

describe("an ajo's audit", () => {
  it("shows its validator what is to do, and takes a mark by key", async () => {
    const state = desk({ isValidator: true }, [payment(1), payment(2)]);
    opens();
    await screen.findByRole("list", { name: "Payments to look at, the oldest first" });
    screen.getByText(/^You collect last, so you audit/);
    expect(state.asked[0]).toContain("state=UNREVIEWED");
    await userEvent.keyboard("v");
    await waitFor(() => expect(state.marked).toEqual([{ marks: [{ id: "e1", mark: "VALIDATED" }] }]));
    await userEvent.selectOptions(screen.getByLabelText("Cycle"), "2");
    await waitFor(() => expect(state.asked.at(-1)).toContain("cycle=2"));
  });

  it("shows every member all of it, and who marks what they may not", async () => {
    const state = desk({ isValidator: false }, [payment(1, { mayMark: false })]);
    opens();
    await screen.findAllByText(/^The ajo's validator marks it/);
    expect(state.asked[0]).not.toContain("state");
    expect(screen.queryByRole("button", { name: /^Validate/ })).toBeNull();
  });

  it("opens at the state that a notification names, and nowhere at one that is none", async () => {
    const state = desk({}, []);
    opens("/ajo/a1/audit?state=QUERIED");
    await screen.findByText("No payment fits these filters.");
    expect(state.asked[0]).toContain("state=QUERIED");
    expect(screen.getByText("Nothing was paid here yet.")).toBeTruthy();
  });
});
