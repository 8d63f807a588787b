import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Case, Correction, CorrectionOfLab, CorrectionPreview, CorrectionState } from "@/api/schema.gen";
import { Corrected } from "@/features/cases/corrections";
import { useStore } from "@/store/store";
import { ada, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

beforeEach(() => useStore.setState({ session: { ...ada, roles: ["User", "Admin"] }, authenticated: true }));

const kase: Case = {
  id: "c1",
  number: "AD-7K2P-9QX3",
  kind: "FINED_IN_TIME",
  status: "INVESTIGATING",
  title: "I was fined though I paid in time",
  amount: 5000,
  openedAt: "2026-11-20T10:00:00Z",
  decideBy: "2999-11-23T10:00:00Z",
  late: false,
  member: "Member 3F9A",
  isMine: true,
  stepCount: 0,
  userId: "u1",
  acknowledgeBy: "2999-11-21T10:00:00Z",
  isOpen: true,
  version: 1,
  subjects: ["MEMBER", "GROUP"],
  groupId: "g1",
  groupName: "Onitsha Savers",
  subAccountId: "s1",
  subAccounts: [
    { id: "s0", name: "Welfare" },
    { id: "s1", name: "Monthly dues" },
  ],
  found: [{ what: "UNMATCHED", arrivalId: "a1", amount: 5000, at: "2026-11-02T10:00:00Z", words: "₦5,000.00 waits." }],
  steps: [],
};

const plan = (more: Partial<Correction> = {}): Correction => ({
  id: "p1",
  status: "PROPOSED",
  steps: [{ kind: "ASSIGN", words: "₦5,000.00 of nobody becomes the member's." }],
  countsFrom: "2026-11-02T10:00:00Z",
  words: "The slip shows it.",
  proposedAt: "2026-11-24T10:00:00Z",
  proposedByName: "Sade S.",
  isMine: false,
  approvals: [],
  needed: 2,
  mayApprove: true,
  mayDecline: true,
  events: [
    { title: "Unmatched assigned", entries: [{ account: "wallet:u1", label: "Wallet of the member", amount: 5000 }] },
  ],
  ...more,
});

const preview: CorrectionPreview = {
  events: [
    { title: "Penalty reversed", entries: [] },
    {
      title: "Contribution received",
      entries: [{ account: "pool:s1", label: "Sub-account Monthly dues", amount: 5000 }],
    },
  ],
};

function serves(first?: Correction, would: CorrectionPreview = preview, more: CorrectionState = {}) {
  const state = { now: first, deeds: [] as [string, unknown][] };
  const path = `${origin}/api/v1/support/cases/c1/plan`;
  network.use(
    http.get(path, () => yes(state.now ? { plan: state.now, ...more } : more)),
    http.post(`${path}/preview`, async ({ request }) => {
      state.deeds.push(["preview", await request.json()]);
      return yes(would, "This is what would happen. Nothing was recorded.");
    }),
    http.post(path, async ({ request }) => {
      state.deeds.push(["propose", await request.json()]);
      state.now = plan({ isMine: true, mayApprove: false });
      return yes({ plan: state.now }, "Proposed. Two Admins decide.");
    }),
    http.post(`${path}/:deed`, async ({ params, request }) => {
      state.deeds.push([String(params.deed), await request.json()]);
      state.now = plan({
        status: params.deed === "approve" ? "APPLIED" : "DECLINED",
        mayApprove: false,
        mayDecline: false,
      });
      return yes({ plan: state.now }, "Done.");
    }),
  );
  return state;
}

const shown = (of: Partial<Case> = {}, inHand = true, draft?: CorrectionOfLab) =>
  show(
    <Corrected
      kase={{ ...kase, ...of }}
      inHand={inHand}
      draft={draft}
      named={[{ eventId: "e1", title: "Contribution received" }]}
      onChanged={() => {}}
    />,
    "/support/c1",
  );

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

describe("proposing a correction", () => {
  it("puts steps together, shows their entries before, and asks before it proposes", async () => {
    const state = serves();
    shown();
    await click("Propose a correction");
    await click("Add this step");
    await userEvent.click(screen.getByRole("radio", { name: /Pay a due/ }));
    expect(screen.getByLabelText<HTMLSelectElement>("Sub-account").value).toBe("s1");
    await click("Add this step");
    await userEvent.type(screen.getByLabelText(/Counts from/), "2026-11-02T11:00");
    await click("Show the entries");
    await screen.findByText("Penalty reversed");
    await click("Propose it");
    expect(screen.getByText(/at least 10 characters/)).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Why is this right?"), "The slip shows it was in time.");
    await click("Propose it");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Propose it" }));
    await screen.findByText(/Proposed by you/);
    const steps = [
      { kind: "ASSIGN", arrivalId: "a1" },
      { kind: "PAY_DUE", groupId: "g1", subAccountId: "s1", amount: 5000 },
    ];
    expect(state.deeds).toEqual([
      ["preview", { countsFrom: "2026-11-02T10:00:00.000Z", steps }],
      ["propose", { countsFrom: "2026-11-02T10:00:00.000Z", steps, words: "The slip shows it was in time." }],
    ]);
  });

  it("says why one would be refused, and does not propose it", async () => {
    serves(undefined, { events: [], refused: "Your wallet has too little." });
    shown();
    await click("Propose a correction");
    await click("Add this step");
    await click("Show the entries");
    await screen.findByText(/Your wallet has too little/);
    expect(screen.queryByRole("button", { name: "Propose it" })).toBeNull();
  });

  it("shows no entries of a form that was changed while they were on their way", async () => {
    serves();
    let reply: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      reply = resolve;
    });
    let answered = false;
    network.use(
      http.post(`${origin}/api/v1/support/cases/c1/plan/preview`, async () => {
        await held;
        answered = true;
        return yes(preview, "This is what would happen. Nothing was recorded.");
      }),
    );
    shown();
    await click("Propose a correction");
    await click("Add this step");
    await click("Show the entries");
    await click("Add this step");
    reply();
    await screen.findByText("This is what would happen. Nothing was recorded.");
    expect(answered).toBe(true);
    expect(screen.queryByText("Penalty reversed")).toBeNull();
    expect(screen.queryByRole("button", { name: "Propose it" })).toBeNull();
  });

  it("needs the entries shown anew after every change", async () => {
    serves();
    shown();
    await click("Propose a correction");
    await click("Add this step");
    await click("Show the entries");
    await screen.findByText("Penalty reversed");
    await click("Add this step");
    await waitFor(() => expect(screen.queryByText("Penalty reversed")).toBeNull());
  });

  it("says what is missing for a step that cannot be chosen", async () => {
    serves();
    shown({ found: [], subAccounts: undefined });
    await click("Propose a correction");
    expect(screen.getByText(/found no money of nobody/)).toBeTruthy();
    await userEvent.click(screen.getByRole("radio", { name: /Pay a due/ }));
    expect(screen.getByText(/no due to pay/)).toBeTruthy();
  });
});

const ofLab = (more: Partial<CorrectionOfLab> = {}): CorrectionOfLab => ({
  steps: [
    { kind: "ASSIGN", arrivalId: "a1", words: "₦5,000.00 of nobody becomes the member's." },
    { kind: "WAIVE", groupId: "g1", subAccountId: "s1", period: "2026-11-01", words: "The penalty is undone." },
  ],
  countsFrom: "2026-11-02T10:00:00Z",
  cannot: [],
  putsRight: [{ label: "Sub-account Monthly dues", amount: 5000 }],
  differs: [],
  events: preview.events,
  ...more,
});

describe("a correction that a lab makes of itself", () => {
  it("is proposed as it was tried, once somebody says why and presses", async () => {
    const state = serves();
    shown({}, true, ofLab());
    await screen.findByText("All of what the lab shows.");
    expect(screen.getByLabelText<HTMLInputElement>(/Counts from/).value).toContain("2026-11-02T11:00");
    expect(
      within(screen.getByText("Puts right").parentElement as HTMLElement).getByText("Sub-account Monthly dues"),
    ).toBeTruthy();
    expect(state.deeds).toEqual([]);
    await userEvent.type(screen.getByLabelText("Why is this right?"), "The lab shows it was in time.");
    await click("Propose it");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Propose it" }));
    await screen.findByText(/Proposed by you/);
    expect(state.deeds).toEqual([
      [
        "propose",
        {
          countsFrom: "2026-11-02T10:00:00Z",
          steps: [
            { kind: "ASSIGN", arrivalId: "a1" },
            { kind: "WAIVE", groupId: "g1", subAccountId: "s1", period: "2026-11-01" },
          ],
          words: "The lab shows it was in time.",
        },
      ],
    ]);
  });

  it("says what it cannot put right and what still differs, and is not held against the lab once it is changed", async () => {
    serves();
    const differs = [{ label: "Wallet of the member", amount: -250 }];
    shown({}, true, ofLab({ cannot: ["Withdrawal requested has happened."], differs }));
    await screen.findByText("This cannot be put right by a correction: Withdrawal requested has happened.");
    expect(screen.getByText("Still differs")).toBeTruthy();
    expect(screen.queryByText("All of what the lab shows.")).toBeNull();
    await click("Remove: The penalty is undone.");
    await screen.findByText(/no longer held against the lab/);
    expect(screen.queryByText("Still differs")).toBeNull();
    expect(screen.queryByRole("button", { name: "Propose it" })).toBeNull();
  });

  it("says when no command comes to it", async () => {
    serves();
    shown({}, true, ofLab({ steps: [], putsRight: [], cannot: ["The money was not found."], events: [] }));
    await screen.findByText("No command of a correction comes to what the lab shows.");
    expect(screen.queryByText("All of what the lab shows.")).toBeNull();
    expect(screen.queryByRole("button", { name: "Propose it" })).toBeNull();
  });

  it("may pay from Adashi's own account, take back, and undo a penalty that stands", async () => {
    const penalties = [
      {
        kind: "WAIVE" as const,
        groupId: "g1",
        subAccountId: "s1",
        period: "2026-11-01",
        amount: 250,
        words: "November.",
      },
    ];
    const state = serves(undefined, preview, { penalties });
    shown();
    await click("Propose a correction");
    await userEvent.click(screen.getByRole("radio", { name: /Undo a penalty/ }));
    expect(screen.getByRole("option", { name: "₦250.00: November." })).toBeTruthy();
    await click("Add this step");
    await userEvent.click(screen.getByRole("radio", { name: /Adashi's own account/ }));
    await userEvent.selectOptions(screen.getByLabelText("Which way"), "takes");
    await userEvent.clear(screen.getByLabelText("How much"));
    await userEvent.type(screen.getByLabelText("How much"), "700");
    await click("Add this step");
    await click("Show the entries");
    await screen.findByText("Penalty reversed");
    expect(state.deeds).toEqual([
      [
        "preview",
        {
          steps: [
            { kind: "WAIVE", groupId: "g1", subAccountId: "s1", period: "2026-11-01" },
            { kind: "ADJUST", amount: 700, takesBack: true },
          ],
        },
      ],
    ]);
  });

  it("keeps the corrections before it in view", async () => {
    const earlier = [
      {
        id: "p0",
        status: "STALE" as const,
        proposedAt: "2026-11-23T10:00:00Z",
        steps: ["Something."],
        reason: "Look again.",
      },
    ];
    serves(plan(), preview, { earlier });
    shown({ plan: "PROPOSED", isMine: false }, false);
    await screen.findByText("Not applied, proposed 23 Nov 2026, 11:00");
    expect(screen.getByText("Look again.")).toBeTruthy();
  });
});

describe("deciding on a correction", () => {
  it("shows an Admin the entries, and approves after a question", async () => {
    const state = serves(plan());
    shown({ plan: "PROPOSED", isMine: false }, false);
    await screen.findByText("Wallet of the member");
    await click("Approve");
    const sure = within(await screen.findByRole("dialog"));
    expect(sure.getByText("Wallet of the member")).toBeTruthy();
    await userEvent.click(sure.getByRole("button", { name: "Approve" }));
    await screen.findByText("Applied");
    expect(state.deeds).toEqual([["approve", { planId: "p1" }]]);
  });

  it("declines with a reason alone", async () => {
    const state = serves(plan());
    shown({ plan: "PROPOSED", isMine: false }, false);
    await click("Decline");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Decline" }));
    await dialog.findByText(/at least 3 characters/);
    await userEvent.type(dialog.getByLabelText("Why not?"), "The slip is of another month.");
    await userEvent.click(dialog.getByRole("button", { name: "Decline" }));
    await screen.findByText("Declined");
    expect(state.deeds).toEqual([["decline", { planId: "p1", words: "The slip is of another month." }]]);
  });

  it("keeps what stands when the server refuses", async () => {
    serves(plan());
    network.use(
      http.post(`${origin}/api/v1/support/cases/c1/plan/approve`, () =>
        no(403, "You have a part in this. Somebody else decides."),
      ),
    );
    shown({ plan: "PROPOSED", isMine: false }, false);
    await click("Approve");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Approve" }));
    await screen.findByText(/You have a part in this/);
    expect(screen.getByText("Waits for approval")).toBeTruthy();
  });

  it("shows nothing where there is none and the reader does not have the case", () => {
    shown({ plan: undefined }, false);
    expect(screen.queryByText("Correction")).toBeNull();
  });
});
