import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { KeptLab, LabResult } from "@/api/schema.gen";
import { click, faultOf, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, as, mine, serves } from "./support";

beforeEach(() => as("Support"));

describe("the lab of a case", () => {
  it("supposes that a due of the ajo was paid", async () => {
    serves(
      mine({
        subjects: ["MEMBER", "AJO"],
        ajoName: "Balogun weekly",
        ajoDues: [
          { cycle: 2, seat: 3, amount: 4000, day: "2026-11-12" },
          { cycle: 1, seat: 3, amount: 4000, day: "2026-11-05" },
        ],
      }),
    );
    const tried: unknown[] = [];
    network.use(
      http.get(`${origin}/api/v1/support/cases/c1/labs`, () => yes([])),
      http.post(`${origin}/api/v1/support/cases/c1/labs`, async ({ request }) => {
        tried.push(await request.json());
        return yes({ events: 1, decided: 1, lines: [], accounts: [], states: [] });
      }),
    );
    show(app, "/support/c1");
    await userEvent.selectOptions(
      await screen.findByLabelText("For which due of the ajo?"),
      "Cycle 1, seat 3: ₦4,000.00, due 5 Nov 2026",
    );
    fireEvent.change(screen.getByLabelText("When, in Lagos time?"), { target: { value: "2026-11-04T10:00" } });
    await click("Add this");
    await screen.findByText("₦4,000.00 came on 4 Nov 2026, 10:00 and paid cycle 1 for seat 3");
    await click("Show what would have followed");
    await screen.findByText("Nothing would be otherwise.");
    expect(tried).toEqual([
      { subject: "MEMBER", edits: [{ kind: "PAID", cycle: 1, seat: 3, amount: 4000, at: "2026-11-04T09:00:00.000Z" }] },
    ]);
  });

  it("tries out what would have followed, and keeps what was tried", async () => {
    serves(mine({ subAccountId: "s1", subAccounts: [{ id: "s1", name: "Monthly dues" }] }));
    const tried: unknown[] = [];
    const kept: KeptLab[] = [];
    const result: LabResult = {
      events: 40,
      decided: 30,
      followedUntil: "2029-01-10T23:00:00Z",
      lines: [
        {
          kind: "EDITED",
          at: "2026-11-04T09:00:00Z",
          was: [],
          would: [{ title: "Contribution received", amount: 5000, entries: [] }],
        },
        {
          kind: "REFUSED",
          position: 90,
          at: "2026-11-06T09:00:00Z",
          why: "Nothing is late here.",
          was: [{ title: "Penalty applied", amount: 250, entries: [] }],
          would: [],
        },
      ],
      accounts: [{ account: "pool:s1", label: "Sub-account Monthly dues", was: 0, would: 5000, by: 5000 }],
      states: [{ stream: "dues:s1:u1", label: "Dues of the member", was: "{}", would: '{"Total": 500000}' }],
    };
    network.use(
      http.get(`${origin}/api/v1/support/cases/c1/labs`, () => yes(kept)),
      http.post(`${origin}/api/v1/support/cases/c1/labs`, async ({ request }) => {
        const form = (await request.json()) as { subject: "GROUP"; edits: KeptLab["edits"] };
        tried.push(form);
        if (form.edits.length === 0) return yes({ ...result, lines: [], accounts: [], states: [] });
        kept.splice(0, 1, { id: "l1", at: "2026-11-25T09:00:00Z", ...form });
        return yes(result);
      }),
    );
    show(app, "/support/c1");
    await click("Check the rules without a change");
    await screen.findByText("Nothing would be otherwise.");
    await click("Add this");
    expect(faultOf(await screen.findByLabelText("When, in Lagos time?"))).toBe("Choose a day and a time that is past.");
    fireEvent.change(screen.getByLabelText("When, in Lagos time?"), { target: { value: "2026-11-04T10:00" } });
    await click("Add this");
    await screen.findByText("₦5,000.00 came on 4 Nov 2026, 10:00");
    await click("Show what would have followed");
    await screen.findByText("The rules say: Nothing is late here.");
    expect(screen.getByText(/This one followed them until 11 Jan 2029: what they would have done later/)).toBeTruthy();
    expect(screen.getByText("Penalty applied, ₦250.00")).toBeTruthy();
    await screen.findByRole("button", { name: "Open: ₦5,000.00 came on 4 Nov 2026, 10:00" });
    const asked: unknown[] = [];
    network.use(
      http.post(`${origin}/api/v1/support/cases/c1/plan/from-lab`, async ({ request }) => {
        asked.push(await request.json());
        return yes({ steps: [], cannot: ["The money was not found."], putsRight: [], differs: [], events: [] });
      }),
    );
    await click("Propose this as a correction");
    await screen.findByText("This cannot be put right by a correction: The money was not found.");
    expect(asked).toEqual([tried[1]]);
    await userEvent.click(screen.getByRole("radio", { name: /An event never came/ }));
    await screen.findByText(/^Open an event in the time machine/);
    expect(tried).toEqual([
      { subject: "GROUP", edits: [] },
      { subject: "GROUP", edits: [{ kind: "PAID", subAccountId: "s1", amount: 5000, at: "2026-11-04T09:00:00.000Z" }] },
    ]);
  });
});
