import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Link, Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditPayment, Group } from "@/api/schema.gen";
import { Audit } from "@/features/trust/audit/screens/Audit";
import { ada, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const payment = (at: number, more: Partial<AuditPayment> = {}): AuditPayment => ({
  id: `e${at}`,
  kind: "CONTRIBUTION",
  userId: `u${at}`,
  name: `Member ${at}`,
  subAccountId: "s1",
  subAccountName: "Monthly dues",
  amount: 5000,
  date: "2026-11-02T10:00:00Z",
  channel: "WALLET",
  mark: "VALIDATED",
  markedByName: "Vera V.",
  markedAt: "2026-11-03T10:00:00Z",
  answered: false,
  oddities: [],
  evidence: [],
  mayMark: false,
  ...more,
});
const drawn = (at: number) => payment(at, { recheck: true, mayRecheck: true, mayMark: true });
const coverage = { total: 60, validated: 60, queried: 0, resolved: 0, unreviewed: 0, percent: 100, months: [] };

/** The desk's back end for its owner. What it was asked, and what was marked. */
function desk(role: Group["role"], payments: AuditPayment[]) {
  const asked: string[] = [];
  const marked: unknown[] = [];
  network.use(
    http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () =>
      yes({ id: "g1", name: "Balogun Traders", role, memberStatus: "ACTIVE", status: "ACTIVE", ownerId: ada.id }),
    ),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({ groupSavingsId: "g1", groupName: "Balogun Traders", SubAccounts: [] }),
    ),
    http.get(`${origin}/api/v1/savings/groups/g1/audit`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      query.delete("limit");
      asked.push(`?${query}`);
      const rechecks = payments.filter(({ recheck }) => recheck).length;
      return yes({ payments, coverage, rechecks });
    }),
    http.post(`${origin}/api/v1/savings/groups/g1/audit`, async ({ request }) => {
      marked.push(((await request.json()) as { marks: unknown }).marks);
      return yes(coverage, "Marked.");
    }),
  );
  return { asked, marked };
}

const opens = (at: string) =>
  show(
    <Routes>
      <Route path="/savings/:id/audit" element={<Audit />} />
    </Routes>,
    at,
  );

beforeEach(signIn);

describe("what the owner checks again", () => {
  it("is shown first, agreed to by key, and then gone", async () => {
    const { asked, marked } = desk("OWNER", [drawn(1), drawn(2)]);
    opens("/savings/g1/audit");
    expect(await screen.findByText("2 payments were drawn for you to check again")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Check them" }));
    await waitFor(() => expect(asked.at(-1)).toBe("?state=RECHECK"));
    expect(await screen.findByRole("button", { name: "Agree: Member 1" })).toBeTruthy();
    await userEvent.keyboard("v");
    await waitFor(() => expect(marked).toEqual([[{ id: "e1", mark: "VALIDATED" }]]));
    await waitFor(() => expect(document.querySelectorAll("[data-audit]")).toHaveLength(1));
    expect(await screen.findByText("1 payment was drawn for you to check again")).toBeTruthy();
    expect(screen.queryByText(/Press U to undo/), "their agreement is not taken back").toBeNull();
  });

  it("opens from its notification, and may be queried", async () => {
    const { asked, marked } = desk("OWNER", [drawn(1)]);
    opens("/savings/g1/audit?recheck=1");
    await userEvent.click(await screen.findByRole("button", { name: "Query: Member 1" }));
    expect(asked).toEqual(["?state=RECHECK"]);
    await userEvent.type(await screen.findByLabelText("Why?"), "Whose is it?");
    await userEvent.click(screen.getByRole("button", { name: "Query" }));
    await waitFor(() => expect(marked).toEqual([[{ id: "e1", mark: "QUERIED", reason: "Whose is it?" }]]));
  });

  it("opens from its notification while the desk is open already", async () => {
    const { asked } = desk("OWNER", [drawn(1)]);
    show(
      <>
        <Link to="/savings/g1/audit?recheck=1">The notification</Link>
        <Routes>
          <Route path="/savings/:id/audit" element={<Audit />} />
        </Routes>
      </>,
      "/savings/g1/audit",
    );
    await waitFor(() => expect(asked).toEqual(["?state=UNREVIEWED"]));
    await userEvent.click(screen.getByRole("link", { name: "The notification" }));
    await waitFor(() => expect(asked.at(-1)).toBe("?state=RECHECK"));
  });

  it("is no work of the validator's, who reads that it waits and who agreed", async () => {
    const waiting = payment(1, { recheck: true, mayRecheck: false, mayMark: true });
    const { marked } = desk("VALIDATOR", [waiting, payment(2, { recheckedByName: "Ada O." })]);
    opens("/savings/g1/audit?state=VALIDATED");
    expect(await screen.findByText("1 payment waits for the owner to check it again.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Agree: Member 1" })).toBeNull();
    await userEvent.keyboard("v");
    await userEvent.keyboard("j");
    expect(await screen.findByText("Checked again by Ada O.")).toBeTruthy();
    expect(marked).toEqual([]);
  });

  it("keeps the filters of one group's desk to that desk", async () => {
    const { asked } = desk("OWNER", [payment(1)]);
    const first = opens("/savings/g1/audit?state=ALL&oddity=LATE");
    await screen.findByText("1 filter is on");
    expect(asked).toEqual(["?oddity=LATE"]);
    await userEvent.click(screen.getByRole("button", { name: "Save these filters" }));
    await userEvent.type(await screen.findByLabelText("What are they called?"), "Late ones");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    first.unmount();
    opens("/savings/g1/audit");
    await userEvent.click(await screen.findByRole("button", { name: "Late ones" }));
    await waitFor(() => expect(asked.at(-1)).toBe("?oddity=LATE"));
    expect(screen.getByRole("button", { name: "Remove Late ones" })).toBeTruthy();
  });
});
