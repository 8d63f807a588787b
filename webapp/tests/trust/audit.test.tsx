import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditCoverage, AuditPayment, Group } from "@/api/schema.gen";
import { Audit } from "@/features/trust/audit/screens/Audit";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const group: Group = {
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
  ownerId: "u9",
  validatorId: ada.id,
  role: "VALIDATOR",
  memberStatus: "ACTIVE",
  totalHidden: false,
  userTotalSavings: 5000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 1,
  dueThisMonth: 3,
  dateCreated: "2026-01-05T09:00:00Z",
};
const payment = (at: number, more: Partial<AuditPayment> = {}): AuditPayment => ({
  id: `e${at}`,
  kind: "CONTRIBUTION",
  userId: `u${at}`,
  name: `Member ${at}`,
  subAccountId: "s1",
  subAccountName: "Monthly dues",
  amount: 5000 + at,
  date: "2026-11-02T10:00:00Z",
  channel: "BANK_TRANSFER",
  mark: "UNREVIEWED",
  answered: false,
  oddities: [],
  evidence: [{ label: "Sender", value: `MEMBER ${at}` }],
  mayMark: true,
  ...more,
});

interface Sent {
  key: string | null;
  marks: { id: string; mark: string; reason?: string }[];
}

/** The desk's back end: what is marked stands so, and leaves the list of what is to do. */
function desk(payments: AuditPayment[], role: Group["role"] = "VALIDATOR") {
  const state = { payments, sent: [] as Sent[], refuse: "" };
  const coverage = (): AuditCoverage => {
    const validated = state.payments.filter(({ mark }) => mark === "VALIDATED").length;
    const percent = Math.round((validated / state.payments.length) * 100);
    return {
      total: state.payments.length,
      validated,
      queried: 0,
      resolved: 0,
      unreviewed: 0,
      percent,
      months: [{ month: "2026-11", label: "November 2026", total: state.payments.length, reviewed: validated }],
    };
  };
  network.use(
    http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () => yes({ ...group, role })),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({ groupSavingsId: "g1", groupName: group.name, SubAccounts: [] }),
    ),
    http.get(`${origin}/api/v1/savings/groups/g1/audit`, ({ request }) => {
      const wanted = new URL(request.url).searchParams.get("state");
      return yes({
        payments: state.payments.filter(({ mark }) => !wanted || mark === wanted),
        coverage: coverage(),
      });
    }),
    http.post(`${origin}/api/v1/savings/groups/g1/audit`, async ({ request }) => {
      const { marks } = (await request.json()) as Sent;
      state.sent.push({ key: request.headers.get("Idempotency-Key"), marks });
      if (state.refuse) return no(409, state.refuse, "CONFLICT");
      const now = new Map(marks.map((mark) => [mark.id, mark.mark]));
      state.payments = state.payments.map((one) => ({
        ...one,
        mark: (now.get(one.id) as AuditPayment["mark"]) ?? one.mark,
      }));
      return yes(coverage(), "Marked.");
    }),
  );
  return state;
}

const app = (
  <Routes>
    <Route path="/savings/:id/audit" element={<Audit />} />
  </Routes>
);
const current = () => document.querySelector("[data-audit][aria-current=true]")?.getAttribute("data-audit");
const marks = (sent: Sent[]) => sent.map((one) => one.marks);
const open = async () => {
  show(app, "/savings/g1/audit");
  await screen.findByRole("list", { name: "Payments to look at, the odd ones first" });
};

beforeEach(signIn);

describe("the validator's desk", () => {
  it("opens at the payment that a notification tells of", async () => {
    desk([payment(1), payment(2, { mark: "VALIDATED" }), payment(3)]);
    show(app, "/savings/g1/audit?payment=e2");
    await screen.findByRole("list", { name: "Payments to look at, the odd ones first" });
    expect(current()).toBe("e2");
  });

  it("saves what the screen shows", async () => {
    desk([payment(1)]);
    network.use(
      http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
        yes({ groupSavingsId: "g1", groupName: group.name, SubAccounts: [{ id: "s1", name: "Monthly dues" }] }),
      ),
    );
    let asked = "";
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/audit.csv`, ({ request }) => {
        asked = new URL(request.url).search;
        return new Response("Date");
      }),
    );
    URL.createObjectURL = () => "blob:x";
    URL.revokeObjectURL = () => {};
    await open();
    await userEvent.selectOptions(await screen.findByLabelText("Sub-account"), "s1");
    await userEvent.click(screen.getByRole("button", { name: /CSV/ }));
    await waitFor(() => expect(asked).toBe("?state=UNREVIEWED&subAccountId=s1"));
  });

  it("is gone down by keys: J and K move, V validates, and the next is there", async () => {
    const state = desk([payment(1, { oddities: ["Two payments within ten minutes."] }), payment(2), payment(3)]);
    await open();
    expect(current()).toBe("e1");
    expect(screen.getAllByText("Two payments within ten minutes.").length).toBeGreaterThan(0);
    await userEvent.keyboard("jj");
    expect(current()).toBe("e3");
    expect(document.activeElement?.getAttribute("data-audit")).toBe("e3");
    await userEvent.keyboard("k");
    expect(current()).toBe("e2");
    await userEvent.keyboard("v");
    await waitFor(() => expect(document.querySelector("[data-audit=e2]")).toBeNull());
    expect(marks(state.sent)).toEqual([[{ id: "e2", mark: "VALIDATED" }]]);
    expect(current()).toBe("e3");
    expect(document.querySelector("[data-coverage]")?.textContent).toBe("33% validated");
  });

  it("does not wait for the answer to go on, and marks none twice", async () => {
    const state = desk([payment(1), payment(2), payment(3)]);
    await open();
    await userEvent.keyboard("vvv");
    await waitFor(() => expect(state.sent).toHaveLength(3));
    expect(marks(state.sent).map(([one]) => one?.id)).toEqual(["e1", "e2", "e3"]);
    await screen.findByText("All done");
  });

  it("queries with a reason and not without, and typing it presses no keys", async () => {
    const state = desk([payment(1), payment(2)]);
    await open();
    await userEvent.keyboard("q");
    const dialog = await screen.findByRole("dialog", { name: "Query this payment" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Query" }));
    await within(dialog).findByText("Say why in 3 to 300 characters.");
    await userEvent.type(within(dialog).getByLabelText("Why?"), "jvx: whose is it?");
    expect(current()).toBe("e1");
    await userEvent.click(within(dialog).getByRole("button", { name: "Query" }));
    await waitFor(() =>
      expect(marks(state.sent)).toEqual([[{ id: "e1", mark: "QUERIED", reason: "jvx: whose is it?" }]]),
    );
  });

  it("keeps what another list shows that is chosen while a mark is on its way", async () => {
    desk([payment(1), payment(2)]);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let recorded = false;
    network.use(
      http.get(`${origin}/api/v1/savings/groups/g1/audit`, ({ request }) => {
        const queried = new URL(request.url).searchParams.get("state") === "QUERIED";
        return yes({ payments: queried === recorded ? [payment(1, recorded ? { mark: "QUERIED" } : {})] : [] });
      }),
      http.post(`${origin}/api/v1/savings/groups/g1/audit`, async () => {
        recorded = true;
        await answered;
        return yes(
          { total: 2, validated: 0, queried: 1, resolved: 0, unreviewed: 1, percent: 0, months: [] },
          "Marked.",
        );
      }),
    );
    await open();
    await userEvent.keyboard("q");
    const dialog = await screen.findByRole("dialog", { name: "Query this payment" });
    await userEvent.type(within(dialog).getByLabelText("Why?"), "Whose was it?");
    await userEvent.click(within(dialog).getByRole("button", { name: "Query" }));
    await waitFor(() => expect(recorded).toBe(true));
    fireEvent.change(screen.getByLabelText("Show"), { target: { value: "QUERIED" } });
    await waitFor(() => expect(current()).toBe("e1"));
    answer();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(current()).toBe("e1");
  });

  it("validates all that are chosen at once, when one means it", async () => {
    const state = desk([payment(1), payment(2), payment(3)]);
    await open();
    await userEvent.keyboard("xjx");
    await screen.findByText("2 payments chosen");
    await userEvent.keyboard("v");
    const dialog = await screen.findByRole("dialog", { name: "Validate 2 payments?" });
    expect(state.sent).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Validate" }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(marks(state.sent)[0]).toEqual([
      { id: "e1", mark: "VALIDATED" },
      { id: "e2", mark: "VALIDATED" },
    ]);
    await waitFor(() => expect(screen.queryByText("2 payments chosen")).toBeNull());
  });

  it("resolves only what was queried", async () => {
    const state = desk([
      payment(1, { mark: "QUERIED", reason: "Whose?", markedByName: "Ada O.", markedAt: "2026-11-03T10:00:00Z" }),
    ]);
    show(app, "/savings/g1/audit");
    await userEvent.selectOptions(await screen.findByLabelText("Show"), "QUERIED");
    await userEvent.click(await screen.findByRole("button", { name: /Member 1/, current: true }));
    await userEvent.keyboard("r");
    const dialog = await screen.findByRole("dialog", { name: "Resolve this query" });
    await userEvent.type(within(dialog).getByLabelText("Why?"), "Seen the receipt");
    await userEvent.click(within(dialog).getByRole("button", { name: "Resolve" }));
    await waitFor(() =>
      expect(marks(state.sent)).toEqual([[{ id: "e1", mark: "RESOLVED", reason: "Seen the receipt" }]]),
    );
  });

  it("marks none of one's own, by key or by button", async () => {
    const state = desk([payment(1, { mayMark: false })]);
    await open();
    await userEvent.keyboard("vqx");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Validate/ })).toBeNull();
    expect(state.sent).toEqual([]);
  });

  it("keeps a payment where it was when the mark is refused", async () => {
    const state = desk([payment(1)]);
    state.refuse = "It was validated already.";
    await open();
    await userEvent.keyboard("v");
    await screen.findByText("It was validated already.");
    expect(current()).toBe("e1");
    await userEvent.keyboard("v");
    await waitFor(() => expect(state.sent).toHaveLength(2));
    expect(state.sent[1]?.key).not.toBe(state.sent[0]?.key);
  });

  it("takes back what was just validated, the latest first, and shows it again", async () => {
    const state = desk([payment(1), payment(2), payment(3)]);
    await open();
    await userEvent.keyboard("vv");
    await waitFor(() => expect(state.sent).toHaveLength(2));
    await screen.findByText("Validated: Member 2. Press U to undo.");
    await userEvent.keyboard("u");
    await waitFor(() => expect(marks(state.sent)[2]).toEqual([{ id: "e2", mark: "UNREVIEWED" }]));
    await waitFor(() => expect(current()).toBe("e2"));
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(marks(state.sent)[3]).toEqual([{ id: "e1", mark: "UNREVIEWED" }]));
    await screen.findByText("Taken back.");
    await waitFor(() => expect(document.querySelectorAll("[data-audit]")).toHaveLength(3));
    await userEvent.keyboard("u");
    expect(state.sent).toHaveLength(4);
  });

  it("offers nothing to take back of a mark that was refused", async () => {
    const state = desk([payment(1)]);
    state.refuse = "It was validated already.";
    await open();
    await userEvent.keyboard("v");
    await screen.findByText("It was validated already.");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).toBeNull());
    await userEvent.keyboard("u");
    expect(state.sent).toHaveLength(1);
  });

  it("chooses all from the one chosen last with Shift, by key and by box, but none of one's own", async () => {
    desk([payment(1), payment(2, { mayMark: false }), payment(3), payment(4), payment(5)]);
    await open();
    await userEvent.keyboard("xjj{Shift>}X{/Shift}");
    await screen.findByText("2 payments chosen");
    const user = userEvent.setup();
    await user.keyboard("{Shift>}");
    await user.click(screen.getByRole("checkbox", { name: "Choose the payment of Member 5" }));
    await screen.findByText("4 payments chosen");
  });

  it("tells its keys, which do nothing meanwhile", async () => {
    const state = desk([payment(1)]);
    await open();
    await userEvent.keyboard("?");
    const dialog = await screen.findByRole("dialog", { name: "Keys of the desk" });
    expect(within(dialog).getByText("choose all from the one chosen last")).toBeTruthy();
    await userEvent.keyboard("v");
    expect(state.sent).toEqual([]);
  });

  it("queries what was validated in error", async () => {
    const state = desk([payment(1, { mark: "VALIDATED" })]);
    show(app, "/savings/g1/audit?payment=e1");
    await screen.findByRole("list", { name: "Payments to look at, the odd ones first" });
    await userEvent.keyboard("q");
    const dialog = await screen.findByRole("dialog", { name: "Query this payment" });
    await userEvent.type(within(dialog).getByLabelText("Why?"), "It was the baker's");
    await userEvent.click(within(dialog).getByRole("button", { name: "Query" }));
    await waitFor(() =>
      expect(marks(state.sent)).toEqual([[{ id: "e1", mark: "QUERIED", reason: "It was the baker's" }]]),
    );
  });

  it("is closed to plain members", async () => {
    desk([payment(1)], "MEMBER");
    show(app, "/savings/g1/audit");
    await screen.findByText("The validator and the other officials of the group work here.");
    expect(screen.queryByText("Member 1")).toBeNull();
  });
});
