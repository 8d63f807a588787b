import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CaseRow, KeptLab, LabResult, ReplayStep, SupportCase } from "@/api/types";
import { SupportOnly } from "@/app/guards";
import { Sidebar } from "@/app/shell/Sidebar";
import { CasePage } from "@/features/support/screens/CasePage";
import { Desk } from "@/features/support/screens/Desk";
import { apart } from "@/lib/clocks";
import { useStore } from "@/store/store";
import { ada, faultOf, no, origin, show, yes } from "./help";
import { network } from "./network";

const as = (...roles: string[]) =>
  useStore.setState({ session: { ...ada, roles: ["User", ...roles] }, authenticated: true });

const app = (
  <Routes>
    <Route element={<SupportOnly />}>
      <Route path="/support" element={<Desk />} />
      <Route path="/support/:id" element={<CasePage />} />
    </Route>
  </Routes>
);

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

const row = (more: Partial<CaseRow> = {}): CaseRow => ({
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
  ...more,
});

const kase = (more: Partial<SupportCase> = {}): SupportCase => ({
  ...row(),
  userId: "u1",
  acknowledgeBy: "2999-11-21T10:00:00Z",
  isOpen: true,
  subjects: ["MEMBER", "GROUP"],
  groupName: "Onitsha Savers",
  steps: [{ kind: "OPENED", position: 900, by: "MEMBER", at: "2026-11-20T10:00:00Z", words: "It went to October." }],
  ...more,
});
const mine = (more: Partial<SupportCase> = {}) =>
  kase({ status: "INVESTIGATING", isMine: true, staffName: "Ada O.", ...more });

/** The case, as what is done leaves it; what was done. */
function serves(first: SupportCase, next: (deed: string) => SupportCase = () => first) {
  const state = { now: first, deeds: [] as [string, unknown][] };
  network.use(
    http.get(`${origin}/api/v1/support/cases/c1`, () => yes(state.now)),
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

beforeEach(() => as("Support"));

describe("the desk of Support", () => {
  const served = () =>
    network.use(
      http.get(`${origin}/api/v1/support/cases`, ({ request }) => {
        const list = new URL(request.url).searchParams.get("list");
        const cases = {
          OPEN: [row(), row({ id: "c2", number: "AD-2", late: true, decideBy: "2020-01-01T00:00:00Z" })],
        };
        return yes({ cases: cases[list as "OPEN"] ?? [], open: 2, waiting: 1, mine: 0, late: 1 });
      }),
    );

  it.each([
    ["FinanceOps", false],
    ["Support", true],
    ["Admin", true],
  ])("is there for %s: %s", (role, there) => {
    served();
    as(role);
    show(app, "/support");
    expect(Boolean(screen.queryByRole("heading", { name: "Support desk" }))).toBe(there);
    show(<Sidebar />, "/dashboard");
    expect(Boolean(screen.queryByRole("link", { name: /Support desk/ }))).toBe(there);
  });

  it("shows what is due, masked, with counts; late in words", async () => {
    served();
    show(app, "/support");
    await screen.findByText("2 are open, 1 waits to be taken, 1 is late.");
    expect(screen.getByRole("link", { name: "Open (2)" }).getAttribute("aria-current")).toBe("page");
    const [first, second] = screen.getAllByRole("link", { name: /It went to the wrong due/ });
    expect(first?.textContent).toContain("AD-7K2P-9QX3 · Member 3F9A · Nobody has it");
    expect(first?.textContent).toMatch(/Due in \d+ days/);
    expect(second?.textContent).toMatch(/Late by \d+ days/);
    await userEvent.click(screen.getByRole("link", { name: "Mine (0)" }));
    await screen.findByText("You have no case");
  });
});

describe("a case", () => {
  it("is taken first; then the member is asked, and their name shown for a reason", async () => {
    const state = serves(kase(), () => mine());
    show(app, "/support/c1");
    await screen.findByText("Member 3F9A");
    expect(screen.queryByText("Time machine")).toBeNull();
    expect(screen.queryByRole("button", { name: "Decide" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Show the name" })).toBeNull();
    await click("Take it");
    await click("Ask the member");
    const dialog = await screen.findByRole("dialog", { name: "Ask the member something" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Send the question" }));
    expect(faultOf(within(dialog).getByLabelText("Your question"))).toBe("Ask in at least three letters.");
    await userEvent.type(within(dialog).getByLabelText("Your question"), "Which month did you mean?");
    await userEvent.click(within(dialog).getByRole("button", { name: "Send the question" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await click("Show the name");
    const why = await screen.findByRole("dialog", { name: "Why do you need the name?" });
    await userEvent.type(within(why).getByLabelText("Reason"), "To call her");
    await userEvent.click(within(why).getByRole("button", { name: "Show the name" }));
    await screen.findByText("Bisi Cole (Member 3F9A)");
    expect(state.deeds).toEqual([
      ["take", undefined],
      ["ask", { words: "Which month did you mean?" }],
      ["names", { reason: "To call her", userIds: ["u1"] }],
    ]);
  });

  it("may have a hold allowed, and extended once", async () => {
    const held = (status: "ASKED" | "HELD" | "EXTENDED") =>
      mine({ hold: { amount: 1500, status, ...(status === "ASKED" ? {} : { until: "2026-11-27T10:00:00Z" }) } });
    const next = { ASKED: "HELD", HELD: "EXTENDED" } as const;
    let at: "ASKED" | "HELD" | "EXTENDED" = "ASKED";
    const state = serves(held(at), () => {
      if (at !== "EXTENDED") at = next[at];
      return held(at);
    });
    show(app, "/support/c1");
    await screen.findByText("₦1,500.00, once Support has looked at it");
    await click("Allow the hold");
    await screen.findByText("₦1,500.00, until 27 Nov 2026, 11:00 at most");
    await click("Hold it seven days more");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Hold it seven days more" })).toBeNull());
    expect(state.deeds).toEqual([
      ["hold", undefined],
      ["hold", undefined],
    ]);
  });

  it("tries out in the lab what would have followed, and keeps what was tried", async () => {
    serves(mine({ subAccountId: "s1", subAccounts: [{ id: "s1", name: "Monthly dues" }] }));
    const tried: unknown[] = [];
    const kept: KeptLab[] = [];
    const result: LabResult = {
      events: 40,
      decided: 30,
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

  it("is decided with words and a confirmation, and is over then", async () => {
    const state = serves(mine(), () =>
      mine({ isOpen: false, status: "RESOLVED_UPHELD", resolvedAt: "2026-11-21T10:00:00Z" }),
    );
    show(app, "/support/c1");
    await click("Decide");
    await screen.findByText("Choose who is right.");
    await userEvent.click(screen.getByRole("radio", { name: /The member is right/ }));
    await userEvent.type(screen.getByLabelText("What happened, and what was put right"), "It is in November now.");
    await click("Decide");
    const dialog = await screen.findByRole("dialog", { name: "Decide for the member?" });
    expect(state.deeds).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Decide" }));
    await screen.findByText("For the member");
    expect(screen.queryByText("Time machine")).toBeNull();
    expect(state.deeds).toEqual([["resolve", { upheld: true, words: "It is in November now." }]]);
  });

  it("shows a refusal and keeps what was typed", async () => {
    serves(mine());
    network.use(
      http.post(`${origin}/api/v1/support/cases/c1/resolve`, () => no(409, "Take the case first.", "CONFLICT")),
    );
    show(app, "/support/c1");
    await userEvent.click(await screen.findByRole("radio", { name: /No mistake found/ }));
    await userEvent.type(screen.getByLabelText("What happened, and what was put right"), "It was all right.");
    await click("Decide");
    const dialog = await screen.findByRole("dialog", { name: /no mistake/ });
    await userEvent.click(within(dialog).getByRole("button", { name: "Decide" }));
    await screen.findByText("Take the case first.");
    expect(screen.getByLabelText("What happened, and what was put right")).toHaveProperty("value", "It was all right.");
  });
});

const at = (hour: number, day = 20) => `2026-11-${day}T${String(hour).padStart(2, "0")}:00:00Z`;
const event = (position: number, recordedAt: string, more: Partial<ReplayStep> = {}): ReplayStep => ({
  position,
  eventId: `e${position}`,
  type: "naira.v1.ContributionReceived",
  title: `Event number ${position}`,
  stream: "dues:s1:u1",
  recordedAt,
  effectiveAt: recordedAt,
  late: false,
  entries: [],
  body: '{"amountKobo": 500000}',
  ...more,
});
const history = [
  event(10, at(8, 19)),
  event(20, at(9, 19)),
  event(30, at(8), { late: true, effectiveAt: "2026-11-20T05:50:00Z" }),
  event(40, at(12), {
    entries: [
      { account: "wallet:u1", label: "Wallet of the member", amount: -5000, balance: 15000, own: true },
      { account: "pool:s1", label: "Sub-account Dues", amount: 5000, balance: 5000, own: false },
    ],
  }),
];

/** Events and figures of the subject: the wallet holds as much as the position says. */
function machine(steps = history) {
  const replays: string[] = [];
  network.use(
    http.get(`${origin}/api/v1/support/cases/c1/steps`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const from = Number(query.get("from") ?? 1e9);
      const fits = (step: ReplayStep) => (query.get("back") === "true" ? step.position < from : step.position >= from);
      return yes({ steps: steps.filter(fits), head: 40 });
    }),
    http.get(`${origin}/api/v1/support/cases/c1/replay`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const recorded = query.get("recorded");
      const effective = query.get("effective");
      const found = steps.findLast(
        (step) =>
          (!recorded || step.recordedAt <= recorded) &&
          (!effective || step.effectiveAt <= effective) &&
          step.position <= Number(query.get("position") ?? 1e9),
      );
      replays.push(query.toString());
      const position = found?.position ?? 0;
      return yes({
        subject: "MEMBER",
        position,
        recordedAt: found?.recordedAt ?? at(0, 1),
        head: 40,
        events: found ? 1 : 0,
        accounts: [
          { account: "wallet:u1", label: "Wallet of the member", balance: position * 100 },
          { account: "deposit:a1", label: "Deposit of the member", balance: 7 },
        ],
        states: [{ stream: "account:u1", label: "Account of the member", version: 3, state: '{"Tier": 1}' }],
      });
    }),
  );
  return replays;
}

const place = () => new URLSearchParams(screen.getByTestId("place").textContent?.split("?")[1]);
const here = () => document.querySelector<HTMLElement>("[data-at]")?.dataset.at;
const stands = (position: number) => waitFor(() => expect(here()).toBe(String(position)));
const opens = async (query = "") => {
  const state = serves(mine());
  show(app, `/support/c1${query}`);
  if (query === "") await click("The member: Member 3F9A");
  await screen.findByRole("slider", { name: "Event" });
  return state;
};

describe("the time machine", () => {
  it("begins at the latest event, and goes by keys; the address follows", async () => {
    const replays = machine();
    await opens();
    await stands(40);
    await screen.findByText("₦4,000", { exact: false });
    await userEvent.keyboard("{ArrowLeft}");
    await stands(30);
    await userEvent.keyboard("[[");
    await stands(20);
    await userEvent.keyboard("]");
    await stands(30);
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
    await stands(40);
    await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() => expect(Object.fromEntries(place())).toEqual({ subject: "MEMBER", at: "30" }));
    // Those that were passed are not asked for.
    await waitFor(() => expect(replays).toContain("subject=MEMBER&position=30"));
    expect(new Set(replays).size).toBeLessThan(4);
    const slider = screen.getByRole("slider", { name: "Event" });
    expect(slider.getAttribute("aria-valuetext")).toBe("Event number 30, 20 Nov 2026, 09:00:00. Event 3 of 4 loaded");
  });

  it("has a button for every key", async () => {
    machine();
    await opens();
    await stands(40);
    await click("One event back");
    await stands(30);
    await click("One day back");
    await stands(20);
    await click("One day on");
    await stands(30);
    await click("One event on");
    await stands(40);
    await userEvent.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "The time machine by keyboard" });
    await userEvent.keyboard("{ArrowLeft}");
    expect(here()).toBe("40");
    await userEvent.click(within(help).getByRole("button", { name: "Close" }));
  });

  it("points out in words when the two clocks differ", async () => {
    machine();
    await opens("?subject=MEMBER&at=30");
    await stands(30);
    expect(document.querySelector("[data-apart]")?.textContent).toBe(
      "It counts from 2 h 10 min before it was recorded. This is often the answer.",
    );
    const clocks = [...document.querySelectorAll("[data-clock]")].map(({ textContent }) => textContent);
    expect(clocks).toEqual(["09:00:00", "06:50:00"]);
    await userEvent.keyboard("{ArrowRight}");
    await stands(40);
    expect(document.querySelector("[data-apart]")?.textContent).toBe("Both clocks agree.");
    expect(apart("2026-11-20T10:00:00Z", "2026-11-18T07:00:00Z")).toBe("2 days 3 h");
    expect(apart("2026-11-20T10:00:05Z", "2026-11-20T10:00:00Z")).toBe("5 s");
  });

  it("compares two moments, account by account", async () => {
    machine();
    await opens();
    await stands(40);
    await userEvent.keyboard("c");
    await waitFor(() => expect(place().get("than")).toBe("40"));
    await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() =>
      expect(document.querySelector('[data-difference="wallet:u1"]')?.getAttribute("data-by")).toBe("-1000"),
    );
    const lines = [...document.querySelectorAll<HTMLElement>("[data-difference]")].map(
      ({ dataset }) => dataset.difference,
    );
    expect(lines).toEqual(["wallet:u1", "deposit:a1"]);
    expect(screen.getByText(/^Kept: Position 40, 20 Nov 2026, 13:00:00\. Now: Position 30/)).toBeTruthy();
    await click("Stop comparing");
    await waitFor(() => expect(document.querySelector("[data-compare]")).toBeNull());
    expect(place().get("than")).toBeNull();
  });

  it("goes by what counted, and a link carries that", async () => {
    const replays = machine();
    await opens("?subject=MEMBER&at=30&clock=effective");
    await stands(30);
    await waitFor(() => expect(replays).toContain("subject=MEMBER&effective=2026-11-20T05%3A50%3A00Z"));
    expect(screen.getByRole("button", { name: "By what counted" }).getAttribute("aria-pressed")).toBe("true");
    await click("As recorded");
    await waitFor(() => expect(replays).toContain("subject=MEMBER&position=30"));
    expect(place().get("clock")).toBeNull();
  });

  it("goes to a day and a time in Lagos, and says when nothing was there yet", async () => {
    const replays = machine();
    await opens();
    await stands(40);
    await userEvent.click(screen.getByText("Go to a time"));
    await click("Go there");
    await screen.findByText("Choose a day and a time.");
    const field = screen.getByLabelText("Day and time in Lagos");
    await userEvent.type(field, "2026-11-19T10:30:00");
    await click("Go there");
    await stands(20);
    expect(replays).toContain("subject=MEMBER&recorded=2026-11-19T09%3A30%3A00.000Z");
    await userEvent.clear(field);
    await userEvent.type(field, "2020-01-01T00:00:00");
    await click("Go there");
    await stands(10);
    expect(screen.getByText("Nothing of it was there yet by then. This is its first event.")).toBeTruthy();
  });

  it("tells an event's story, and names it in the outcome", async () => {
    machine();
    const state = await opens();
    await stands(40);
    await userEvent.keyboard("{ArrowLeft}{ArrowRight}");
    expect(screen.getByRole("row", { name: /Wallet of the member theirs −₦5,000\.00 ₦15,000\.00/ })).toBeTruthy();
    await click("Name it in the outcome");
    await userEvent.click(screen.getByRole("radio", { name: /The member is right/ }));
    await userEvent.type(screen.getByLabelText("What happened, and what was put right"), "It is in November now.");
    expect(here()).toBe("40");
    await click("Decide");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Decide" }));
    await waitFor(() =>
      expect(state.deeds).toEqual([["resolve", { upheld: true, words: "It is in November now.", entries: ["e40"] }]]),
    );
  });

  it("loads on at both ends", async () => {
    const all = Array.from({ length: 30 }, (_, place) => event(place + 1, at(8)));
    const asked: string[] = [];
    network.use(
      http.get(`${origin}/api/v1/support/cases/c1/steps`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(`${query.get("from")}${query.get("back") === "true" ? " back" : ""}`);
        const from = Number(query.get("from"));
        if (query.get("back") === "true") {
          const before = all.filter(({ position }) => position < from);
          const steps = before.slice(-10);
          return yes({ steps, head: 30, next: before.length > 10 ? steps[0]?.position : undefined });
        }
        const on = all.filter(({ position }) => position >= from);
        return yes({ steps: on.slice(0, 10), head: 30, next: on[10]?.position });
      }),
      http.get(`${origin}/api/v1/support/cases/c1/replay`, () => no(409, "Those events are archived.", "CONFLICT")),
    );
    await opens("?subject=MEMBER&at=12");
    await stands(12);
    await screen.findByText("Those events are archived.");
    await waitFor(() =>
      expect(document.querySelector("[data-place]")?.getAttribute("data-place")).toMatch(/^\d+\/20$|^\d+\/22$/),
    );
    for (let count = 0; count < 8; count++) await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() => expect(document.querySelector("[data-place]")?.getAttribute("data-place")).toBe("4/22"));
    expect(here()).toBe("4");
    expect(asked).toEqual(expect.arrayContaining(["13 back", "13", "3 back"]));
    await screen.findByText("This is where it begins.");
  });

  it("plays, and where less motion is asked for goes on one at a time", async () => {
    machine();
    await opens("?subject=MEMBER&at=10");
    await stands(10);
    await userEvent.keyboard("p");
    await screen.findByRole("button", { name: "Pause" });
    await waitFor(() => expect(here()).toBe("40"), { timeout: 8000 });
    await screen.findByRole("button", { name: "Play" });
    const { matchMedia } = window;
    window.matchMedia = vi.fn((query: string) => ({ ...matchMedia(query), matches: query.includes("reduced-motion") }));
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}p");
    await stands(20);
    await act(() => new Promise((resolve) => setTimeout(resolve, 1300)));
    expect(here()).toBe("20");
    window.matchMedia = matchMedia;
  });
});
