import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ReplayStep } from "@/api/schema.gen";
import { apart } from "@/lib/clocks";
import { click, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, as, mine, serves } from "./support";

beforeEach(() => as("Support"));

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
