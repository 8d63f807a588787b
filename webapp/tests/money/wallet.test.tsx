import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { StandingOrder, WalletLimits } from "@/api/schema.gen";
import { Wallet } from "@/features/money/wallet/screens/Wallet";
import { lagosDay } from "@/lib/dates";
import { useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const limits: WalletLimits = {
  tier: 1,
  daily: 50000,
  usedToday: 20000,
  left: 30000,
  balanceCap: 300000,
  needs: ["Your NIN"],
  tiers: [{ tier: 1, daily: 50000, balanceCap: 300000, needs: "BVN or NIN" }],
};
const order = (more: Partial<StandingOrder> = {}): StandingOrder => ({
  id: "o1",
  status: "ACTIVE",
  subAccountId: "s1",
  groupId: "g1",
  purpose: "Balogun Traders · Monthly dues",
  amount: 5000,
  frequency: "MONTHLY",
  nextDay: "2026-12-01",
  dateCreated: "2026-11-01T10:00:00Z",
  runs: [{ day: "2026-11-01", outcome: "PAID", activityId: "m1" }],
  ...more,
});
const visa = { id: "c1", brand: "Visa", last4: "4081", expMonth: 12, expYear: 2030, bank: "Test Bank" };
const sub = {
  id: "s1",
  groupSavingsId: "g1",
  name: "Monthly dues",
  paymentType: "FIXED",
  amountPayable: 5000,
  dues: [],
};

interface World {
  orders: StandingOrder[];
  cards: unknown[];
  held?: number;
}

function world({ orders, cards, held }: World) {
  const state = { orders, cards, limits, calls: [] as [string, unknown][] };
  const note =
    (name: string, reply: () => Response) =>
    async ({ request }: { request: Request }) => {
      state.calls.push([name, request.method === "POST" && name === "create" ? await request.json() : undefined]);
      return reply();
    };
  network.use(
    http.get(`${origin}/api/Wallet/get-user-balance`, () =>
      yes({ balance: 25000, totalBalance: 165000, groupAjoBalance: 0, savingsBalance: 20000, held }),
    ),
    http.get(`${origin}/api/Wallet/GetUserWalletTransactions`, () => yes({ transactions: [] })),
    http.get(`${origin}/api/v1/wallet/open-payments`, () => yes([])),
    http.get(`${origin}/api/v1/wallet/limits`, () => yes(state.limits)),
    http.get(`${origin}/api/v1/activity/months`, () =>
      yes([{ month: "2026-11", label: "November 2026", moneyIn: 20000, moneyOut: 5000 }]),
    ),
    http.get(`${origin}/api/v1/wallet/cards`, () => yes(state.cards)),
    http.delete(`${origin}/api/v1/wallet/cards/c1`, () => {
      state.cards = [];
      return yes(undefined, "The card is forgotten.");
    }),
    http.get(`${origin}/api/v1/wallet/standing-orders`, () => yes(state.orders)),
    http.post(
      `${origin}/api/v1/wallet/standing-orders`,
      note("create", () => {
        state.orders = [order()];
        return yes(order(), "It runs.");
      }),
    ),
    ...(["pause", "resume"] as const).map((what) =>
      http.post(
        `${origin}/api/v1/wallet/standing-orders/o1/${what}`,
        note(what, () => {
          state.orders = [order(what === "pause" ? { status: "PAUSED", nextDay: undefined } : {})];
          return yes(state.orders[0], "Done.");
        }),
      ),
    ),
    http.delete(
      `${origin}/api/v1/wallet/standing-orders/o1`,
      note("end", () => {
        state.orders = [order({ status: "ENDED", nextDay: undefined })];
        return yes(state.orders[0], "It has ended.");
      }),
    ),
    http.get(`${origin}/api/GroupSavings/GetUserGroupSavings/${ada.id}`, () =>
      yes([{ id: "g1", name: "Balogun Traders", memberStatus: "ACTIVE" }]),
    ),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({ groupSavingsId: "g1", groupName: "Balogun Traders", SubAccounts: [sub] }),
    ),
  );
  return state;
}

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

describe("the wallet", () => {
  beforeEach(signIn);

  it("shows what is on its way out, the limits used today, and the months as a table too", async () => {
    world({ orders: [], cards: [], held: 120000 });
    show(<Wallet />, "/dashboard/wallet/");
    expect((await screen.findByText("Set aside")).parentElement?.textContent).toContain("₦120,000.00");
    const used = await screen.findByRole("progressbar", { name: "To your bank today: ₦20,000.00 of ₦50,000.00 used" });
    expect(used.getAttribute("value")).toBe("0.4");
    expect(screen.getByText("Your NIN")).toBeTruthy();
    const row = (await screen.findByRole("rowheader", { name: "November 2026", hidden: true })).closest("tr");
    expect(row?.textContent).toBe("November 2026₦20,000.00₦5,000.00");
    expect(screen.getByRole("link", { name: "Withdraw" }).getAttribute("href")).toBe("/dashboard/wallet/withdraw");
  });

  it("follows the limits as the wallet moves", async () => {
    const state = world({ orders: [], cards: [] });
    show(<Wallet />, "/dashboard/wallet/");
    await screen.findByText("₦20,000.00 of ₦50,000.00 used");
    state.limits = { ...limits, usedToday: 50000, left: 0 };
    act(() => useStore.getState().refreshTopics(["wallet"]));
    await screen.findByText("₦50,000.00 of ₦50,000.00 used");
  });

  it("forgets a card once one means it", async () => {
    const state = world({ orders: [], cards: [visa] });
    show(<Wallet />, "/dashboard/wallet/");
    await click("Forget Visa ending in 4081");
    const dialog = await screen.findByRole("dialog", { name: "Forget this card?" });
    expect(state.cards).toHaveLength(1);
    await userEvent.click(within(dialog).getByRole("button", { name: "Forget card" }));
    await screen.findByText("The card is forgotten.");
    await screen.findByText(/No card is saved/);
  });

  it("pauses and resumes a standing order, and ends it after asking", async () => {
    const state = world({ orders: [order()], cards: [] });
    show(<Wallet />, "/dashboard/wallet/");
    const name = "Balogun Traders · Monthly dues";
    await screen.findByText("every month · Next on 1 Dec 2026");
    await click(`Pause: ${name}`);
    await screen.findByText("Days missed meanwhile are not made up for.");
    await click(`Resume: ${name}`);
    await screen.findByText("Running");
    await click(`End: ${name}`);
    const dialog = await screen.findByRole("dialog", { name: "End this standing order?" });
    expect(state.calls.map(([what]) => what)).toEqual(["pause", "resume"]);
    await userEvent.click(within(dialog).getByRole("button", { name: "End it" }));
    await screen.findByText("Ended");
    expect(screen.queryByRole("button", { name: `Pause: ${name}` })).toBeNull();
  });

  it("starts a standing order that was proposed after a payment, with consent and not without", async () => {
    const state = world({ orders: [], cards: [] });
    show(<Wallet />, "/dashboard/wallet/?standing=s1&groupId=g1&amount=5000");
    const dialog = await screen.findByRole("dialog", { name: "New standing order" });
    await waitFor(() => expect(within(dialog).getByLabelText("Sub-account")).toHaveProperty("value", "s1"));
    expect(within(dialog).getByLabelText("Amount each time")).toHaveProperty("value", "5,000.00");
    await userEvent.click(within(dialog).getByText("Every week"));
    const start = within(dialog).getByRole("button", { name: "Start the standing order" });
    await userEvent.click(start);
    await within(dialog).findByText("Agree first: nothing is taken without it.");
    expect(state.calls).toEqual([]);
    await userEvent.click(
      within(dialog).getByRole("checkbox", {
        name: "I agree that ₦5,000.00 is taken from my wallet every week until I pause or end it.",
      }),
    );
    await userEvent.click(start);
    await screen.findByText("It runs.");
    const body = { subAccountId: "s1", amount: 5000, frequency: "WEEKLY", firstDay: lagosDay(), consent: true };
    expect(state.calls).toEqual([["create", body]]);
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/dashboard/wallet/"));
  });

  it("puts a refused first day beside its field", async () => {
    world({ orders: [], cards: [] });
    network.use(
      http.post(`${origin}/api/v1/wallet/standing-orders`, () =>
        no(400, "The first day is today or later.", "INVALID", "firstDay"),
      ),
    );
    show(<Wallet />, "/dashboard/wallet/?standing=s1&groupId=g1&amount=5000");
    const dialog = await screen.findByRole("dialog");
    await waitFor(() => expect(within(dialog).getByLabelText("Sub-account")).toHaveProperty("value", "s1"));
    await userEvent.click(within(dialog).getByRole("checkbox"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Start the standing order" }));
    await within(dialog).findByText("The first day is today or later.");
    expect(within(dialog).getByLabelText("First day").getAttribute("aria-invalid")).toBe("true");
  });
});
