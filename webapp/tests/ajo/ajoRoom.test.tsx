import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Ajo, AjoPayout } from "@/api/schema.gen";
import { moved } from "@/features/ajo/room/parts/CloseList";
import { sector } from "@/features/ajo/room/parts/Wheel";
import { AjoPage } from "@/features/ajo/room/screens/AjoPage";
import { AjoPayouts } from "@/features/ajo/room/screens/AjoPayouts";
import { ajo, payout } from "../kit/ajo";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const figures = { balance: 50_000, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 50_000, held: 0 };
const receipt = { id: "m1", transactionRef: "t1", amount: 10_000, position: 9, settled: [] };

/** The ajo as the server has it, and what was done there. */
function room(first: Ajo, tab = "") {
  const state = { now: first, calls: [] as [string, unknown][] };
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(state.now)),
    http.get(`${origin}/api/Ajo/member-contribution/a1`, () =>
      yes([{ userId: "bisi", name: "Bisi Ade", seat: 2, totalContributions: 20_000, collected: 29_700, owed: 0 }]),
    ),
    http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)),
    http.get(`${origin}/api/v1/ajo/a1/payouts/:cycle`, ({ params }) => yes(payout({ cycle: Number(params.cycle) }))),
    http.post(`${origin}/api/v1/ajo/a1/*`, async ({ request }) => {
      const text = await request.text();
      const path = new URL(request.url).pathname.replace("/api/v1/ajo/a1/", "");
      state.calls.push([path, text ? JSON.parse(text) : undefined]);
      return yes(path === "pay" ? receipt : state.now, "Done.");
    }),
  );
  signIn();
  show(
    <Routes>
      <Route path="/ajo/:id" element={<AjoPage />} />
    </Routes>,
    `/ajo/a1${tab && `?tab=${tab}`}`,
  );
  return state;
}

const tab = async (name: string) => userEvent.click(await screen.findByRole("tab", { name }));

describe("the page of an ajo", () => {
  it("says in an ordered list who collects when, and marks the current turn", async () => {
    room(ajo());
    const list = await screen.findByRole("list", { name: "Who collects when." });
    expect(list.tagName).toBe("OL");
    const turns = within(list).getAllByRole("listitem");
    expect(turns.map((turn) => turn.querySelector("p")?.textContent)).toEqual([
      "1. Bisi Ade",
      "2. Ada Obi (you)",
      "3. Chidi Eze",
    ]);
    expect(turns.map((turn) => turn.getAttribute("aria-current"))).toEqual([null, "step", null]);
    expect(document.querySelectorAll("[data-wheel] path")).toHaveLength(3);
  });

  it("pays one's own due from the wallet once it is meant", async () => {
    const state = room(ajo({ debts: [] }));
    await click("Pay ₦10,000.00: Cycle 2, seat 1");
    const dialog = within(await screen.findByRole("dialog", { name: "Pay ₦10,000.00 from your wallet?" }));
    await dialog.findByText("Your wallet holds ₦50,000.00.");
    expect(state.calls).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Pay ₦10,000.00" }));
    await waitFor(() =>
      expect(state.calls).toEqual([["pay", { what: "DUE", amount: 10_000, cycle: 2, seat: 1, userId: ada.id }]]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await tab("Payments");
    expect(screen.getByRole("link", { name: "Pay by transfer or card: Cycle 2, seat 1" }).getAttribute("href")).toBe(
      "/dashboard/ajo/payment?ajoId=a1&cycle=2&seat=1",
    );
  });

  it("says a debt in words, and pays it", async () => {
    const state = room(ajo());
    await screen.findByText("You owe seat 2 (Bisi Ade) ₦21,000.00 of cycle 1");
    await click(/^Pay ₦21,000.00:/);
    await userEvent.click(await screen.findByRole("button", { name: "Pay ₦21,000.00" }));
    await waitFor(() =>
      expect(state.calls).toEqual([["pay", { what: "DEBT", amount: 21_000, debtId: "d1", userId: ada.id }]]),
    );
  });

  it("covers somebody, as a gift where that is meant", async () => {
    const state = room(ajo(), "payments");
    await click("Pay for Chidi Eze");
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText("They owe it to you then.");
    await userEvent.click(dialog.getByLabelText("As a gift"));
    await dialog.findByText("They owe you nothing for it.");
    await userEvent.click(dialog.getByRole("button", { name: "Pay ₦10,000.00" }));
    await waitFor(() =>
      expect(state.calls[0]?.[1]).toEqual({
        what: "DUE",
        amount: 10_000,
        cycle: 2,
        seat: 3,
        memberId: "chidi",
        gift: true,
        userId: ada.id,
      }),
    );
    expect(screen.queryByRole("button", { name: "Pay for Bisi Ade" })).toBeNull();
  });

  it("forgives what is owed to one", async () => {
    const [debt] = ajo().debts;
    const owed = { ...debt, debtor: "Chidi Eze", iOwe: false, owedToMe: true } as Ajo["debts"][number];
    const state = room(ajo({ debts: [owed] }), "payments");
    await screen.findByText("Chidi Eze owes you ₦21,000.00 of cycle 1");
    await click("Forgive Chidi Eze ₦21,000.00");
    await userEvent.click(await screen.findByRole("button", { name: "Forgive it" }));
    await waitFor(() => expect(state.calls).toEqual([["debts/d1/forgive", undefined]]));
  });

  it("says what closing the list still needs, and closes it with the owner's own order", async () => {
    const open: Partial<Ajo> = {
      status: "OPEN",
      order: "MANUAL",
      cycles: [],
      currentAjoCyle: undefined,
      paymentDto: undefined,
      debts: [],
    };
    const owner = { ...ajo().me, isOwner: true, closeNeeds: "Seat 3 has half a hand free." };
    const state = room(ajo({ ...open, me: owner }));
    await screen.findByText("Seat 3 has half a hand free.");
    expect(screen.queryByRole("button", { name: "Close the list" })).toBeNull();
    state.now = ajo({ ...open, me: { ...owner, closeNeeds: undefined, mayClose: true } });
    const { useStore } = await import("@/store/store");
    useStore.getState().refreshTopics(["ajo"]);
    await screen.findByRole("button", { name: "Close the list" });
    await click("Seat 3 earlier");
    await click("Close the list");
    await click("Close it");
    await waitFor(() => expect(state.calls).toEqual([["close", { order: [1, 3, 2] }]]));
  });

  it("tells who is not in it no more than that there is none for them", async () => {
    network.use(http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => no(404, "There is no such ajo.", "NOT_FOUND")));
    signIn();
    show(
      <Routes>
        <Route path="/ajo/:id" element={<AjoPage />} />
      </Routes>,
      "/ajo/a1",
    );
    await screen.findByRole("heading", { name: "There is no such ajo for you" });
  });
});

describe("what it is made of", () => {
  it("moves a seat by a place and not over the end", () => {
    expect(moved([1, 2, 3], 2, -1)).toEqual([1, 3, 2]);
    expect(moved([1, 2, 3], 2, 1)).toEqual([1, 2, 3]);
  });

  it("draws a ring's sector for each turn, clockwise from the top", () => {
    expect(sector(1, 4)).toMatch(/^M\d/);
    expect(sector(1, 1)).toContain(" 1 1 "); // the large way round
    expect(sector(1, 4)).not.toBe(sector(2, 4));
  });
});

describe("the payouts of an ajo", () => {
  const ready = () => {
    const { cycles } = ajo();
    return ajo({ cycles: cycles.map((cycle) => (cycle.cycle === 2 ? { ...cycle, status: "READY" } : cycle)) });
  };
  const serve = (first: AjoPayout, ask: (tries: number) => Response = () => yes(first, "Asked for.")) => {
    const state = { now: first, calls: [] as [string, unknown][], asks: 0 };
    network.use(
      http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(ready())),
      http.get(`${origin}/api/v1/ajo/a1/payouts/2`, () => yes(state.now)),
      http.get(`${origin}/api/v1/ajo/a1/payouts/1`, () => yes(payout({ cycle: 1, status: "PAID", mayRequest: false }))),
      http.post(`${origin}/api/Payment/ajo-liquidation-request`, async ({ request }) => {
        state.calls.push(["ask", await request.json()]);
        state.asks++;
        return ask(state.asks);
      }),
      http.post(`${origin}/api/v1/ajo/a1/payouts/2/:what`, async ({ params, request }) => {
        const text = await request.text();
        state.calls.push([String(params.what), text ? JSON.parse(text) : undefined]);
        return yes(state.now, "Done.");
      }),
    );
    show(
      <Routes>
        <Route path="/ajo/:id/payment-requests" element={<AjoPayouts />} />
      </Routes>,
      "/ajo/a1/payment-requests",
    );
    return state;
  };
  beforeEach(signIn);

  it("are asked for with every figure said, and with the amount that one was told", async () => {
    const state = serve(payout());
    await click("Request payment");
    const modal = within(await screen.findByRole("dialog", { name: "Request the pot of cycle 2" }));
    expect(modal.getByText("Set off: to Bisi Ade")).toBeTruthy();
    expect(document.querySelector('[role="dialog"] [data-you-get] [data-naira="₦8,700.00"]')).toBeTruthy();
    await userEvent.click(modal.getByRole("radio", { name: /^On to my bank/ }));
    await userEvent.click(modal.getByRole("button", { name: "Ask for ₦8,700.00" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(state.calls).toEqual([
      ["ask", { ajoId: "a1", cycle: 2, userId: ada.id, amount: 8700, destination: "BANK" }],
    ]);
  });

  it("of which the amount has changed are not asked for before the new one is said", async () => {
    const state = serve(payout(), (tries) => (tries === 1 ? no(409, "It is ₦29,700.", "CONFLICT") : yes(payout())));
    await click("Request payment");
    state.now = payout({ mine: 29_700, setOffs: [] });
    await click("Ask for ₦8,700.00");
    await screen.findByText("You were told ₦8,700.00; now it is ₦29,700.00. Nothing was asked for.");
    await click("Ask for ₦29,700.00");
    await waitFor(() =>
      expect(state.calls.map(([, body]) => (body as { amount: number }).amount)).toEqual([8700, 29_700]),
    );
  });

  it("are approved, say when they pay themselves, and are refused for one of three reasons", async () => {
    const state = serve(
      payout({
        status: "PAYOUT_REQUESTED",
        mine: undefined,
        mayRequest: false,
        mayApprove: true,
        mayRefuse: true,
        requestedBy: "Bisi Ade",
        requestedAt: "2026-11-20T09:00:00Z",
        paysItselfAt: "2026-11-27T09:00:00Z",
        approvals: ["Chidi Eze"],
      }),
    );
    await screen.findByText("Pays itself on 27 Nov 2026, 10:00");
    expect(screen.getByText("1 of 2 approvals")).toBeTruthy();
    await click("Approve the payout of cycle 2");
    const sure = within(await screen.findByRole("dialog", { name: "Approve the payout of cycle 2?" }));
    expect(sure.getByText(/goes to .*, to their Adashi wallet\./)).toBeTruthy();
    expect(state.calls).toEqual([]);
    await userEvent.click(sure.getByRole("button", { name: "Approve" }));
    await waitFor(() => expect(state.calls).toEqual([["approve", undefined]]));
    await click("Refuse the payout of cycle 2");
    const modal = within(await screen.findByRole("dialog", { name: "Refuse this payout?" }));
    expect(modal.getAllByRole("radio")).toHaveLength(3);
    await userEvent.click(modal.getByRole("radio", { name: /^A dispute/ }));
    await userEvent.type(modal.getByLabelText("Say what happened"), "I paid more than it says");
    await userEvent.click(modal.getByRole("button", { name: "Refuse it" }));
    await waitFor(() =>
      expect(state.calls[1]).toEqual(["refuse", { refusal: "DISPUTE", reason: "I paid more than it says" }]),
    );
  });
});
