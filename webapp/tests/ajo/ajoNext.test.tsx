import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Ajo, AjoPayout } from "@/api/schema.gen";
import { nextOf } from "@/features/ajo/room/next";
import { AjoPage } from "@/features/ajo/room/screens/AjoPage";
import { ajo, payout } from "../kit/ajo";
import { click, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const closing: Ajo["closing"] = {
  closedAt: "2026-09-30T09:00:00Z",
  drawAt: "2026-09-30T10:00:00Z",
  rosterDigest: "ab",
};

/** The ajo, with the pot of cycle 2, Ada's, in this status. */
const withPot = (status: Ajo["cycles"][number]["status"], more: Partial<Ajo> = {}) => {
  const { cycles } = ajo();
  return ajo({ cycles: cycles.map((one) => (one.cycle === 2 ? { ...one, status } : one)), ...more });
};

function room(first: Ajo, pot: AjoPayout = payout(), at = "") {
  const calls: string[] = [];
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(first)),
    http.get(`${origin}/api/Ajo/member-contribution/a1`, () => {
      calls.push("contributions");
      return yes([{ userId: "b", name: "Bisi Ade", seat: 2, totalContributions: 20_000, collected: 29_700, owed: 0 }]);
    }),
    http.get(`${origin}/api/v1/ajo/a1/payouts/2`, () => yes(pot)),
    http.post(`${origin}/api/v1/ajo/a1/payouts/2/approve`, () => {
      calls.push("approve");
      return yes(pot, "Approved.");
    }),
    http.post(`${origin}/api/Payment/ajo-liquidation-request`, async ({ request }) => {
      calls.push(await request.text());
      return yes(pot, "Asked for.");
    }),
  );
  signIn();
  show(
    <Routes>
      <Route path="/ajo/:id" element={<AjoPage />} />
    </Routes>,
    `/ajo/a1${at}`,
  );
  return calls;
}

const bar = async () => within(await screen.findByRole("region", { name: "Next for you" }));
const paid = { paymentDto: undefined, debts: [] };

describe("the next action in an ajo", () => {
  const { me, ...rest } = ajo();
  const first = (more: Partial<Ajo["me"]>, ajoMore: Partial<Ajo> = {}) =>
    nextOf({ ...rest, ...ajoMore, me: { ...me, ...more } }).kind;

  it("is the one with the nearest deadline, then late money, then a pot, then a due", () => {
    const pot = withPot("READY");
    expect(first({ mustReveal: true, acceptedTerms: false })).toBe("REVEAL");
    expect(first({ acceptedTerms: false, mustAcceptOrder: true })).toBe("TERMS");
    expect(first({ mustAcceptOrder: true })).toBe("ORDER");
    expect(first({ mayBidReveal: true })).toBe("BID");
    expect(first({ depositDue: 5 })).toBe("DEBT");
    expect(first({ depositDue: 5 }, { debts: [], cycles: pot.cycles })).toBe("COLLECT");
    expect(first({ depositDue: 5 }, { debts: [] })).toBe("DEPOSIT");
    expect(first({}, { debts: [] })).toBe("DUE");
    expect(first({}, paid)).toBe("LATER");
  });

  it("is a late share before a debt", () => {
    const now = rest.currentAjoCyle as NonNullable<Ajo["currentAjoCyle"]>;
    expect(first({}, { currentAjoCyle: { ...now, status: "GRACE" } })).toBe("DUE");
  });

  it("names the amount that the collector really gets, and asks for it", async () => {
    const calls = room(withPot("READY", paid));
    const now = await bar();
    await now.findByText("Your pot of cycle 2 is ready. You get ₦8,700.00.");
    await userEvent.click(now.getByRole("button", { name: /^Collect ₦8,700\.00/ }));
    await click("Ask for ₦8,700.00");
    await waitFor(() => expect(calls.map((one) => JSON.parse(one).amount)).toEqual([8700]));
  });

  it("is an approval, given in a sheet with amount, payee, reason and those who approved", async () => {
    const asked = payout({
      status: "PAYOUT_REQUESTED",
      mine: undefined,
      mayRequest: false,
      mayApprove: true,
      requestedBy: "Bisi Ade",
      requestedAt: "2026-11-20T09:00:00Z",
      holders: [{ userId: "bisi", name: "Bisi Ade", amount: 29_700 }],
      destination: "BANK",
      approvals: ["Chidi Eze"],
    });
    const calls = room(withPot("PAYOUT_REQUESTED", paid), asked);
    const now = await bar();
    await now.findByText("Bisi Ade asks for ₦29,700.00.");
    await userEvent.click(now.getByRole("button", { name: "Approve the payout of cycle 2" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Approve the payout of cycle 2?" }));
    sheet.getByText(/^₦29,700\.00 goes to Bisi Ade: .* bank account/);
    sheet.getByText("It is the pot of cycle 2.");
    sheet.getByText("Approved by Chidi Eze");
    sheet.getByText("1 of 2 approvals");
    expect(calls).toEqual([]);
    await userEvent.click(sheet.getByRole("button", { name: "Approve" }));
    await waitFor(() => expect(calls).toEqual(["approve"]));
  });

  it("is an answer to a swap, and goes where one answers it", async () => {
    const swap = { id: "s1", by: "Chidi Eze", seat: 3, withSeat: 1, agreed: [], waitsFor: ["Ada Obi"] };
    room(ajo({ ...paid, swaps: [{ ...swap, mayAgree: true, mayDecline: true }] }));
    await userEvent.click((await bar()).getByRole("button", { name: "Answer" }));
    await screen.findByRole("button", { name: "Agree to swap seat 3 with seat 1" });
    expect(screen.queryByRole("region", { name: "Next for you" })).toBeNull();
    expect(screen.getByTestId("place").textContent).toBe("/ajo/a1?tab=more");
  });

  it("is to invite while the list is open", async () => {
    const open = { status: "OPEN", cycles: [], currentAjoCyle: undefined, invitationLink: "/ajo/join-group/a1?code=1" };
    room(ajo({ ...paid, ...open } as Partial<Ajo>));
    const invite = (await bar()).getByRole("link", { name: "Invite" });
    expect(invite.getAttribute("href")).toBe("/ajo/group/invite?ajoId=a1");
  });
});

describe("the hero of an ajo", () => {
  it("shows the pot, who collects it and one's own turn", async () => {
    room(ajo());
    await screen.findByRole("heading", { name: "You collect this pot" });
    expect(document.querySelector("[data-hero] [data-pot]")?.getAttribute("data-pot")).toBe("1000000");
    expect(document.querySelector("[data-level]")?.getAttribute("data-level")).toBe("0.33");
    expect(document.querySelector("[data-my-turn]")?.textContent).toMatch(/^Your turn: 2nd, [A-Z][a-z]{2} 5 Nov/);
  });

  it("says that one has collected only once the pot was paid", async () => {
    room(withPot("PAYOUT_REQUESTED", paid), payout({ status: "PAYOUT_REQUESTED", mayRequest: false }));
    await screen.findByText("You get ₦8,700.00 · Payout asked for");
    expect(screen.queryByText("You have collected.")).toBeNull();
  });

  it("says so then", async () => {
    room(withPot("PAID", paid));
    await screen.findByText("You have collected.");
  });

  it("shows the seats while the list is open", async () => {
    const { seats } = ajo();
    const free = seats.map((seat) => (seat.seat === 3 ? { ...seat, status: "FREE" as const, holders: [] } : seat));
    room(ajo({ ...paid, status: "OPEN", cycles: [], currentAjoCyle: undefined, seats: free }));
    await screen.findByRole("heading", { name: "One seat is free" });
    expect(document.querySelectorAll("[data-wheel] path")).toHaveLength(3);
  });
});

describe("the tabs of an ajo", () => {
  it("say collected, collects now and next, and never that a turn is paid", async () => {
    const { cycles } = ajo();
    const four = [...cycles, { ...(cycles[2] as Ajo["cycles"][number]), cycle: 4 }];
    room(ajo({ cycles: four }));
    await screen.findByRole("list", { name: "Who collects when." });
    const words = [...document.querySelectorAll("[data-turn] > span")].map((badge) => badge.textContent);
    expect(words).toEqual(["Collected", "Collects now", "Next", "To come"]);
  });

  it("are chosen by arrow keys, named by the address, and read only what they show", async () => {
    const calls = room(ajo());
    const turns = await screen.findByRole("tab", { name: "Turns" });
    expect(turns.getAttribute("aria-selected")).toBe("true");
    turns.focus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(document.activeElement?.textContent).toBe("More");
    await userEvent.keyboard("{Home}");
    expect(calls).toEqual([]);
    await userEvent.keyboard("{ArrowRight}");
    await screen.findByRole("heading", { name: "Members" });
    expect(calls).toEqual(["contributions"]);
    expect(screen.getByTestId("place").textContent).toBe("/ajo/a1?tab=payments");
  });

  it("have no debts where nobody owes anything", async () => {
    room(ajo({ debts: [] }), payout(), "?tab=payments");
    await screen.findByRole("heading", { name: "Members" });
    expect(screen.queryByRole("heading", { name: "Debts" })).toBeNull();
  });

  it("offer under Payments what the bar does not offer", async () => {
    room(ajo(), payout(), "?tab=payments");
    const names = (await screen.findAllByRole("button", { name: /^Pay ₦/ })).map((one) =>
      one.getAttribute("aria-label"),
    );
    expect(names).toEqual([
      "Pay ₦21,000.00: You owe seat 2 (Bisi Ade) ₦21,000.00 of cycle 1",
      "Pay ₦10,000.00: Cycle 2, seat 1",
    ]);
  });

  it("check the draw in one row, and keep the figures of the draw behind Proof", async () => {
    room(ajo({ closing }), payout(), "?tab=rules");
    const check = await screen.findByRole("link", { name: "Fair draw ✓ · check it" });
    expect(check.getAttribute("href")).toBe("/ajo/draw/a1");
    expect(screen.getByText("Seal of the list").closest("details")?.open).toBe(false);
  });

  it("link the pages of the ajo from More", async () => {
    room(ajo(), payout(), "?tab=more");
    const links = ["See the payouts", "See the audit", "See the closed months"];
    await screen.findByRole("link", { name: "See the payouts" });
    expect(links.map((name) => screen.getByRole("link", { name }).getAttribute("href"))).toEqual([
      "/ajo/a1/payment-requests",
      "/ajo/a1/audit",
      "/months/a1",
    ]);
  });
});
