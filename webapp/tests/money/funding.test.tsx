import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { PaymentStart } from "@/api/schema.gen";
import { FundModal } from "@/features/money/wallet/parts/FundModal";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const soon = new Date(Date.now() + 1_800_000).toISOString();
const payment = (more: Partial<PaymentStart> = {}): PaymentStart => ({
  transactionRef: "ref-1",
  status: "INITIATED",
  channel: "CARD",
  amount: 5000,
  extraCharges: 177.67,
  total: 5177.67,
  dateCreated: "2026-11-20T10:00:00Z",
  expiresAt: soon,
  ...more,
});
const visa = { id: "card-1", brand: "Visa", last4: "4081", expMonth: 12, expYear: 2030 };

interface Call {
  path: string;
  key: string | null;
  body: unknown;
}

/** Answers as the contract has it, and notes what was asked of the bank. */
function bank(more: Record<string, (body: never) => Response> = {}, cards: unknown[] = [visa]) {
  const calls: Call[] = [];
  const post = (path: string, reply: (body: never) => Response) =>
    http.post(origin + path, async ({ request }) => {
      const body = await request.json();
      calls.push({ path, key: request.headers.get("Idempotency-Key"), body });
      return (more[path] ?? reply)(body as never);
    });
  network.use(
    http.get(`${origin}/api/v1/wallet/cards`, () => yes(cards)),
    http.get(`${origin}/api/v1/wallet/open-payments`, () => yes([])),
    http.get(`${origin}/api/v1/payment/quote`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const amount = Number(query.get("amount"));
      const extraCharges = query.get("channel") === "CARD" ? 177.67 : 0;
      const channel = query.get("channel");
      return yes({ channel, amount, extraCharges, total: amount + extraCharges, feeTable: 1 });
    }),
    post("/api/Wallet/FundWalletVfd", () => yes(payment({ checkoutUrl: "https://checkout.example/pay" }))),
    post("/api/Payment/generate-reference", () => yes(payment())),
    post("/api/Payment/make-payment", () => yes(payment({ status: "PENDING" }))),
    post("/api/Payment/verifyFirstTransaction", () => yes(payment())),
  );
  return calls;
}

const dialog = () => screen.findByRole("dialog", { name: "Fund wallet" });
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

async function review(channel: "Card" | "Bank transfer", card?: string) {
  show(<FundModal open onClose={() => {}} />);
  await userEvent.type(within(await dialog()).getByLabelText("Amount"), "5,000");
  await userEvent.click(screen.getByText(channel, { exact: true }));
  if (card) await userEvent.click(await screen.findByText(card));
  await click("Continue");
  await screen.findByText("You pay");
}

describe("funding the wallet", () => {
  beforeEach(signIn);

  it("by transfer is free, and nothing is started before one agrees", async () => {
    const account = { channel: "BANK_TRANSFER" as const, extraCharges: 0, total: 5000, accountNumber: "9912345678" };
    const calls = bank({ "/api/Wallet/FundWalletVfd": () => yes(payment({ ...account, status: "PENDING" })) });
    await review("Bank transfer");
    expect(screen.getByText("None")).toBeTruthy();
    expect(calls).toEqual([]);
    await click("Agree and continue");
    await screen.findByText("9912345678");
    expect(calls).toMatchObject([{ body: { amount: 5000, channel: "BANK_TRANSFER" } }]);
    expect(screen.getByRole("button", { name: "Copy account number" })).toBeTruthy();
    expect(screen.getByRole("timer").textContent).toMatch(/^Open for (30:00|29:5\d)$/);
  });

  it("by a new card keeps it only when asked to, and leads to the card company", async () => {
    const calls = bank();
    show(<FundModal open onClose={() => {}} />);
    await userEvent.type(within(await dialog()).getByLabelText("Amount"), "5000");
    await userEvent.click(screen.getByText("Card", { exact: true }));
    await userEvent.click(await screen.findByText("A new card"));
    await userEvent.click(screen.getByRole("checkbox", { name: "Save this card for next time" }));
    await click("Continue");
    await click("Agree and continue");
    const pay = await screen.findByRole("link", { name: "Pay ₦5,177.67 by card" });
    expect(pay.getAttribute("href")).toBe("https://checkout.example/pay");
    expect(calls).toMatchObject([{ body: { amount: 5000, channel: "CARD", saveCard: true } }]);
  });

  it("by a saved card charges exactly the total that was agreed to", async () => {
    const calls = bank({ "/api/Payment/make-payment": () => yes(payment({ status: "CONFIRMED" })) });
    await review("Card", "Visa ending in 4081");
    await click("Agree and pay");
    await screen.findByText("Payment received");
    expect(calls.map(({ path }) => path)).toEqual(["/api/Payment/generate-reference", "/api/Payment/make-payment"]);
    expect(calls[1]?.body).toEqual({ transactionRef: "ref-1", amount: 5177.67, cardId: "card-1" });
    expect(calls[1]?.key).toBe(`${calls[0]?.key}-pay`);
  });

  it("shows a 409 with the right total as a choice, and then pays that same payment", async () => {
    const right = payment({ extraCharges: 200, total: 5200 });
    let tries = 0;
    const calls = bank({
      "/api/Payment/make-payment": () => {
        tries += 1;
        return tries === 1
          ? no(409, "The total is ₦5,200.00 now.", "CONFLICT")
          : yes({ ...right, status: "CONFIRMED" });
      },
      "/api/Payment/verifyFirstTransaction": () => yes(right),
    });
    await review("Card", "Visa ending in 4081");
    await click("Agree and pay");
    await screen.findByText("You agreed to ₦5,177.67. It would be ₦5,200.00. You have not been charged.");
    expect(tries).toBe(1);
    await click("Pay ₦5,200.00 instead");
    await screen.findByText("Payment received");
    expect(calls.at(-1)?.body).toEqual({ transactionRef: "ref-1", amount: 5200, cardId: "card-1" });
    expect(calls.filter(({ path }) => path.endsWith("generate-reference"))).toHaveLength(1);
  });

  it("does not charge where the reference already has another total", async () => {
    const calls = bank({ "/api/Payment/generate-reference": () => yes(payment({ total: 5200 })) });
    await review("Card", "Visa ending in 4081");
    await click("Agree and pay");
    await screen.findByRole("button", { name: "Pay ₦5,200.00 instead" });
    expect(calls.map(({ path }) => path)).toEqual(["/api/Payment/generate-reference"]);
  });

  it("says that nothing was charged only where that is certain", async () => {
    bank({ "/api/Wallet/FundWalletVfd": () => no(422, "Your wallet may hold ₦300,000.00.", "INSUFFICIENT") });
    await review("Bank transfer");
    await click("Agree and continue");
    await screen.findByText("Your wallet may hold ₦300,000.00.");
    expect(screen.getByText("You have not been charged.")).toBeTruthy();
  });

  it("follows a charge of another total that is on its way, and does not say that nothing was charged", async () => {
    const running = payment({ extraCharges: 200, total: 5200, status: "PENDING" });
    bank({
      "/api/Payment/make-payment": () => no(409, "It is being paid.", "CONFLICT"),
      "/api/Payment/verifyFirstTransaction": () => yes(running),
    });
    await review("Card", "Visa ending in 4081");
    await click("Agree and pay");
    await screen.findByText(/Your card is being charged/);
    expect(screen.queryByText(/have not been charged/)).toBeNull();
  });

  it("in doubt says so, and asks again with the same number", async () => {
    let answers = 0;
    const calls = bank({
      "/api/Payment/make-payment": () => {
        answers += 1;
        return answers <= 4 ? HttpResponse.error() : yes(payment({ status: "CONFIRMED" }));
      },
    });
    await review("Card", "Visa ending in 4081");
    await click("Agree and pay");
    await screen.findByText("We don't know yet whether this went through");
    expect(screen.queryByText("You have not been charged.")).toBeNull();
    await click("Check again");
    await screen.findByText("Payment received");
    const keys = new Set(calls.filter(({ path }) => path.endsWith("make-payment")).map(({ key }) => key));
    expect(keys.size).toBe(1);
  });

  it.each([
    ["FAILED", "This payment did not go through"],
    ["EXPIRED", "This payment was left too long"],
    ["REVERSED", "This payment was taken back"],
  ] as const)("left and come back to, is told as %s", async (status, words) => {
    bank();
    show(<FundModal open onClose={() => {}} resume={payment({ status, reason: "The bank said no." })} />);
    await screen.findByText(words);
    await waitFor(() => expect(screen.queryByText("You have not been charged.")).toBeNull());
  });
});
