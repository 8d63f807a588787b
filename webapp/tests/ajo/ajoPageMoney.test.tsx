import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Ajo } from "@/api/schema.gen";
import { AjoPage } from "@/features/ajo/room/screens/AjoPage";
import { chooseTexts, placeTexts } from "@/features/ajo/room/texts";
import { ajo } from "../kit/ajo";
import { ada, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const figures = { balance: 50_000, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 50_000, held: 0 };
const receipt = { id: "m1", transactionRef: "t1", amount: 10_000, position: 9, settled: [] };

function room(first: Ajo, tab = "turns") {
  const calls: [string, unknown][] = [];
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(first)),
    http.get(`${origin}/api/Ajo/member-contribution/a1`, () => yes([])),
    http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)),
    http.post(`${origin}/api/v1/ajo/a1/*`, async ({ request }) => {
      const path = new URL(request.url).pathname.replace("/api/v1/ajo/a1/", "");
      calls.push([path, JSON.parse(await request.text())]);
      return yes(path === "pay" ? receipt : first, "Done.");
    }),
  );
  signIn();
  show(
    <Routes>
      <Route path="/ajo/:id" element={<AjoPage />} />
    </Routes>,
    `/ajo/a1?tab=${tab}`,
  );
  return calls;
}

describe("the page of an ajo", () => {
  it("pays ahead for the seat that has collected", async () => {
    const first = ajo();
    const mine = first.seats[0]?.holders ?? [];
    const seats = first.seats.map((seat) => (seat.seat === 2 ? { ...seat, holders: mine } : seat));
    const calls = room({ ...first, seats, me: { ...first.me, seats: [1, 2], halves: 4, prepay: 20_000 } }, "payments");
    await userEvent.click(await screen.findByRole("button", { name: /Leave by paying ahead/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: /Pay/ }));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toEqual(["pay", { what: "ALL", amount: 20_000, seat: 2, userId: ada.id }]);
  });

  it("opens a bid in a paused ajo too", async () => {
    const first = ajo();
    room({ ...first, status: "PAUSED", order: "BIDDING", me: { ...first.me, bidSealed: true, mayBidReveal: true } });
    await screen.findByText(chooseTexts.openTitle);
  });

  it("lets a debtor take their consent back when the ajo is over", async () => {
    const first = ajo();
    room({ ...first, status: "COMPLETED", me: { ...first.me, consentSweep: true } }, "more");
    await screen.findByText("You owe seat 2 (Bisi Ade) ₦21,000.00 of cycle 1");
    await screen.findByText(placeTexts.title);
    expect(screen.queryByText(placeTexts.sweep)).not.toBeNull();
  });
});
