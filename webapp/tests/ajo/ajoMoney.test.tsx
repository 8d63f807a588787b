import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AjoCard, AjoDueLine, AjoDues, PaymentStart } from "@/api/schema.gen";
import { AjoCardPage } from "@/features/ajo/card/screens/AjoCardPage";
import { AjoRound } from "@/features/ajo/card/screens/AjoRound";
import { AjoPayment } from "@/features/ajo/pay/screens/AjoPayment";
import { MyAjo } from "@/features/ajo/pay/screens/MyAjo";
import { bidHash } from "@/lib/draw/secrets";
import { useStore } from "@/store/store";
import { ajo, card } from "../kit/ajo";
import { ada, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

const line = (more: Partial<AjoDueLine> = {}): AjoDueLine => ({
  ajoId: "a1",
  ajoName: "Market women",
  cycle: 2,
  seat: 1,
  amount: 10_000,
  amountWithCharge: 10_250,
  due: "2026-11-05",
  deadline: "2026-11-10",
  status: "DUE",
  collects: "Bisi Ade",
  ...more,
});
const dues = (more: Partial<AjoDues> = {}): AjoDues => ({
  dues: [line()],
  deposits: [line({ cycle: 0, amount: 5000, ajoId: "a2", ajoName: "Teachers" })],
  debts: ajo().debts,
  collecting: [{ ajoId: "a1", ajoName: "Market women", cycle: 3, amount: 29_700, status: "READY" }],
  owed: 21_000,
  owedToMe: 0,
  ...more,
});
const transfer: PaymentStart = {
  transactionRef: "ref-1",
  status: "INITIATED",
  channel: "BANK_TRANSFER",
  amount: 10_000,
  extraCharges: 0,
  total: 10_000,
  dateCreated: "2026-11-20T10:00:00Z",
  expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
  ajoId: "a1",
  cycle: 2,
  seat: 1,
};

function serve(balance = 50_000, all = dues()) {
  const sent: [path: string, body: unknown][] = [];
  const post = (path: string, reply: unknown) =>
    http.post(origin + path, async ({ request }) => {
      sent.push([path, await request.json()]);
      return yes(reply, "Done.");
    });
  const figures = { balance, savingsBalance: 0, groupAjoBalance: 0, totalBalance: balance, held: 0 };
  network.use(
    http.get(`${origin}/api/v1/ajo/dues`, () => yes(all)),
    http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)),
    http.get(`${origin}/api/v1/wallet/cards`, () => yes([])),
    post("/api/Wallet/make-payment-with-wallet", {
      id: "m1",
      transactionRef: "t1",
      amount: 10_000,
      position: 9,
      settled: [],
    }),
    post("/api/Payment/generate-reference", transfer),
    post("/api/Payment/make-payment", { ...transfer, status: "PENDING", accountNumber: "9912345678", bankName: "VFD" }),
    post("/api/Payment/verifyFirstTransaction", { ...transfer, status: "PENDING", accountNumber: "9912345678" }),
  );
  return sent;
}

describe("what one has to pay in all ajo", () => {
  beforeEach(signIn);

  it("stands on one page: dues, deposits, debts and pots", async () => {
    serve();
    show(<MyAjo />, "/dashboard/ajo");
    await screen.findByRole("button", { name: "Pay ₦10,000.00: Market women, Cycle 2, seat 1" });
    expect(screen.getByRole("button", { name: "Pay ₦5,000.00: Teachers, Deposit" })).toBeTruthy();
    const deposit = screen.getByRole("link", { name: "Pay by transfer or card: Teachers, Deposit, ₦5,000.00" });
    expect(deposit.getAttribute("href")).toBe("/dashboard/ajo/payment?ajoId=a2&seat=1");
    expect(screen.getByText("You owe seat 2 (Bisi Ade) ₦21,000.00 of cycle 1")).toBeTruthy();
    const pot = screen.getByRole("link", { name: "See the payout of Market women, cycle 3" });
    expect(pot.getAttribute("href")).toBe("/ajo/a1/payment-requests?cycle=3");
  });

  const pay = () => show(<AjoPayment />, "/dashboard/ajo/payment?ajoId=a1&cycle=2&seat=1");

  it("is paid from a wallet that holds enough", async () => {
    const sent = serve();
    pay();
    await click("Pay ₦10,000.00");
    await screen.findByText("₦10,000.00 is in Market women.");
    expect(sent).toEqual([
      ["/api/Wallet/make-payment-with-wallet", { ajoId: "a1", cycle: 2, seat: 1, amount: 10_000, userId: ada.id }],
    ]);
  });

  it("is paid by transfer where it does not: by a reference that names the ajo, its cycle and its seat", async () => {
    const sent = serve(0);
    pay();
    await click("Pay ₦10,000.00");
    await screen.findByText("9912345678");
    expect(sent.slice(0, 2)).toEqual([
      ["/api/Payment/generate-reference", { ajoId: "a1", cycle: 2, seat: 1, amount: 10_000, channel: "BANK_TRANSFER" }],
      ["/api/Payment/make-payment", { transactionRef: "ref-1", amount: 10_000 }],
    ]);
    expect(screen.getByTestId("place").textContent).toContain("reference=ref-1");
  });

  it.each([
    ["its deposit", "ajoId=a2&seat=1", true],
    ["another seat's deposit", "ajoId=a2&seat=2", false],
    ["another ajo's due", "ajoId=a1&cycle=2&seat=1", false],
  ])("says of %s whether a payment is open for it", async (_, address, isOpen) => {
    const deposit = (seat: number) => line({ cycle: 0, amount: 5000, ajoId: "a2", ajoName: "Teachers", seat });
    serve(50_000, dues({ deposits: [deposit(1), deposit(2)] }));
    const open = { ...transfer, ajoId: "a2", cycle: 0, amount: 5000, accountNumber: "9912345678" };
    network.use(http.get(`${origin}/api/v1/wallet/open-payments`, () => yes([open])));
    show(<AjoPayment />, `/dashboard/ajo/payment?${address}`);
    await screen.findByRole("button", { name: /^Pay ₦/ });
    if (isOpen) await screen.findByText("A payment of ₦5,000.00 is open for this");
    else await waitFor(() => expect(screen.queryByText(/is open for this/)).toBeNull());
  });

  it("is nothing where all is paid", async () => {
    serve(0, dues({ dues: [] }));
    pay();
    await screen.findByText("Nothing is due here");
  });
});

describe("a card", () => {
  const open = (more: Partial<AjoCard> = {}) => {
    const state = { now: card(more), calls: [] as [string, unknown][] };
    network.use(
      http.get(`${origin}/api/v1/ajo/cards/c1`, () => yes(state.now)),
      http.post(`${origin}/api/v1/ajo/cards/c1/:what`, async ({ params, request }) => {
        state.calls.push([String(params.what), await request.json()]);
        state.now = { ...state.now, filled: state.now.filled + 2, holds: state.now.holds + 1000 };
        return yes(state.now, "Done.");
      }),
    );
    signIn();
    show(
      <Routes>
        <Route path="/ajo/cards/:id" element={<AjoCardPage />} />
      </Routes>,
      "/ajo/cards/c1",
    );
    return state;
  };
  const stamped = () => document.querySelectorAll("[data-stamped]").length;

  it("has its boxes, and stamps those that are filled", async () => {
    const state = open();
    await screen.findByRole("listitem", { name: "Box 12: filled" });
    expect(screen.getByRole("listitem", { name: "Box 13: empty" })).toBeTruthy();
    expect(stamped()).toBe(12);
    await userEvent.selectOptions(screen.getByLabelText("How many boxes?"), "2 boxes");
    await click("Fill for ₦1,000.00");
    await waitFor(() => expect(stamped()).toBe(14));
    expect(state.calls).toEqual([["fill", { boxes: 2, userId: ada.id }]]);
  });

  it("is broken for a charge that is said first", async () => {
    const state = open();
    await click("Break the card");
    const dialog = within(await screen.findByRole("dialog", { name: "Break this card?" }));
    expect(dialog.getByText("Charge")).toBeTruthy();
    expect(state.calls).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Break it and get ₦5,850.00" }));
    await waitFor(() => expect(state.calls).toEqual([["break", { amount: 5850, userId: ada.id }]]));
  });

  it("is given to a collector by their email, with or without a commission", async () => {
    const state = open();
    await click("Let them fill it");
    await screen.findByText("Enter an email address.");
    await userEvent.type(screen.getByLabelText("Their email on Adashi"), "alajo@example.com");
    await userEvent.click(screen.getByLabelText(/one box in 31/));
    await click("Let them fill it");
    const body = { email: "alajo@example.com", commission: true, seen: "nobody" };
    await waitFor(() => expect(state.calls).toEqual([["collector", body]]));
  });

  it("is filled by its collector on a round: savers chosen, one Pay with the total", async () => {
    const sent: unknown[] = [];
    const cards = [
      card({ id: "c1", saver: "Ngozi", isMine: false }),
      card({ id: "c2", saver: "Musa", amount: 1000, filled: 30, isMine: false }),
      card({ id: "c3", saver: "Full", filled: 31, isMine: false }),
    ];
    network.use(
      http.get(`${origin}/api/v1/ajo/cards/round`, () => yes(cards)),
      http.post(`${origin}/api/v1/ajo/cards/fill-many`, async ({ request }) => {
        sent.push(await request.json());
        return yes({ cards: 2, total: 2500 }, "Filled.");
      }),
    );
    signIn();
    useStore.setState({ reads: {} });
    show(<AjoRound />, "/ajo/cards/round");
    expect(((await screen.findByRole("button", { name: "Choose savers" })) as HTMLButtonElement).disabled).toBe(true);
    await click("Choose all");
    await userEvent.selectOptions(screen.getByLabelText("Boxes for Ngozi"), "3");
    expect(screen.getByText("₦2,500.00")).toBeTruthy();
    await click("Pay ₦2,500.00");
    const dialog = within(await screen.findByRole("dialog", { name: "Fill for ₦2,500.00?" }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Pay ₦2,500.00" }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          cards: [
            { cardId: "c1", boxes: 3 },
            { cardId: "c2", boxes: 1 },
          ],
          userId: ada.id,
        },
      ]),
    );
  });
});

it("a sealed bid commits to what the ledger computes", async () => {
  // ajopot.BidHash(3, 2, ₦1,500, 16 bytes 0x11): SHA-256 over the domain, u32, u32, u64 and the salt.
  const { createHash } = await import("node:crypto");
  const bytes = Buffer.concat([
    Buffer.from("adashi.ng/ajo-bid/v1\n"),
    Buffer.from("0000000300000002", "hex"),
    Buffer.from("00000000000249f0", "hex"),
    Buffer.from("11".repeat(16), "hex"),
  ]);
  expect(await bidHash(3, 2, { kobo: 150_000, salt: "11".repeat(16) })).toBe(
    createHash("sha256").update(bytes).digest("hex"),
  );
});
