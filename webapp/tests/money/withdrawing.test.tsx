import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Withdrawal as One, WithdrawalQuote } from "@/api/schema.gen";
import { Withdraw } from "@/features/money/withdrawals/screens/Withdraw";
import { Withdrawal } from "@/features/money/withdrawals/screens/Withdrawal";
import { StepUp } from "@/features/people/security/StepUp";
import { useStore } from "@/store/store";
import { no, origin, show, signIn, yes } from "../kit/help";
import { keepsOpen } from "../kit/kept";
import { network } from "../kit/network";

const quote: WithdrawalQuote = {
  amount: 120000,
  fee: 50,
  vat: 3.75,
  stampDuty: 50,
  charges: 103.75,
  net: 119896.25,
  bankName: "Guaranty Trust Bank",
  accountNumber: "6789",
  accountName: "ADA CHIOMA OBI",
  feeTable: 1,
};
const one = (status: One["status"], more: Partial<One> = {}): One => ({
  ...quote,
  id: "w1",
  status,
  dateCreated: new Date().toISOString(),
  story: [],
  ...more,
});

interface Desk {
  quote?: (body: never) => Response;
  withdraw?: () => Response;
  stands?: () => One;
}

function desk({ quote: ask, withdraw, stands = () => one("REQUESTED") }: Desk = {}) {
  const sent: { key: string | null; body: unknown }[] = [];
  network.use(
    http.get(`${origin}/api/Wallet/get-user-balance`, () =>
      yes({ balance: 150000, totalBalance: 150000, groupAjoBalance: 0, savingsBalance: 0 }),
    ),
    http.get(`${origin}/api/v1/wallet/limits`, () =>
      yes({ tier: 3, daily: 5000000, usedToday: 0, left: 5000000, tiers: [], needs: [] }),
    ),
    http.get(`${origin}/api/v1/wallet/withdrawals`, () => yes({ withdrawals: [one("PAID", { id: "w0" })] })),
    http.get(`${origin}/api/v1/wallet/withdrawals/w1`, () => yes(stands())),
    http.post(`${origin}/api/v1/wallet/withdrawals/quote`, async ({ request }) => {
      const body = await request.json();
      return ask ? ask(body as never) : yes(quote);
    }),
    http.post(`${origin}/api/v1/wallet/withdrawals`, async ({ request }) => {
      sent.push({ key: request.headers.get("Idempotency-Key"), body: await request.json() });
      return withdraw ? withdraw() : yes(one("REQUESTED"));
    }),
  );
  return sent;
}

const app = (
  <>
    <Routes>
      <Route path="/dashboard/wallet/withdraw" element={<Withdraw />} />
      <Route path="/dashboard/wallet/withdrawals/:id" element={<Withdrawal />} />
    </Routes>
    <StepUp />
  </>
);
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

async function ask(amount = "120,000") {
  const shown = show(app, "/dashboard/wallet/withdraw");
  await userEvent.type(screen.getByLabelText("How much leaves your wallet?"), amount);
  await click("See the charges");
  return shown;
}

describe("a withdrawal", () => {
  beforeEach(signIn);

  it("shows every charge, what arrives and whose account it is before anything is agreed to", async () => {
    const sent = desk();
    await ask();
    expect(await screen.findByText("ADA CHIOMA OBI")).toBeTruthy();
    const amounts = [...document.querySelectorAll("[data-naira]")].map((figure) => figure.getAttribute("data-naira"));
    expect(amounts).toEqual(expect.arrayContaining(["₦120,000.00", "₦50.00", "₦3.75", "₦119,896.25"]));
    expect(screen.getByText("Guaranty Trust Bank, account ending in 6789", { selector: "p:not(a p)" })).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it("goes on after the step-up, and its page follows it to PAID by itself", async () => {
    let shown = false;
    let status: One["status"] = "REQUESTED";
    const sent = desk({
      withdraw: () => (shown ? yes(one("REQUESTED")) : no(403, "Please confirm that it is you.", "STEP_UP")),
      stands: () => one(status),
    });
    network.use(
      http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: false, recoveryCodesLeft: 0 })),
      http.post(`${origin}/api/v1/account/step-up`, () => {
        shown = true;
        return yes();
      }),
    );
    await ask();
    await userEvent.type(await screen.findByLabelText(/Note for your bank statement/), "Stock");
    await click("Send ₦119,896.25");
    await userEvent.type(await screen.findByLabelText("Your password"), "good-enough{Enter}");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/dashboard/wallet/withdrawals/w1"));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]?.body).toEqual({ amount: 120000, net: 119896.25, note: "Stock" });
    await screen.findByText("Set aside");
    status = "SENT";
    act(() => useStore.getState().refreshTopics(["wallet"]));
    await screen.findByText("On its way");
    status = "PAID";
    act(() => useStore.getState().refreshTopics(["wallet"]));
    await screen.findByText("₦119,896.25 arrived at your bank.");
  });

  it("called off at the step-up, stays where it is and says nothing", async () => {
    desk({ withdraw: () => no(403, "Please confirm that it is you.", "STEP_UP") });
    network.use(http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: false, recoveryCodesLeft: 0 })));
    await ask();
    await click("Send ₦119,896.25");
    await screen.findByLabelText("Your password");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByRole("button", { name: "Send ₦119,896.25" })).toHaveProperty("disabled", false);
    expect(screen.queryByText("Nothing has left your wallet.")).toBeNull();
  });

  it.each([
    [409, "CONFLICT", "Verify your BVN first.", true],
    [409, "CONFLICT", "Your bank account changed: you can withdraw from 21 Nov 2026, 14:02.", true],
    [422, "INSUFFICIENT", "Your tier allows ₦50,000.00 a day.", false],
    [422, "INSUFFICIENT", "Your wallet holds ₦150,000.00.", false],
  ] as const)("refused with %i says why, and what to do: %s %s", async (status, code, words, toBank) => {
    desk({ quote: () => no(status, words, code) });
    await ask();
    await screen.findByText(words);
    expect(screen.getByText("Nothing has left your wallet.")).toBeTruthy();
    expect(Boolean(screen.queryByRole("link", { name: "See your bank account" }))).toBe(toBank);
  });

  it("whose charges changed meanwhile is asked for anew", async () => {
    let net = quote.net;
    const sent = desk({
      quote: () => yes({ ...quote, net }),
      withdraw: () => no(409, "₦119,800.00 would arrive now.", "CONFLICT"),
    });
    await ask();
    const send = await screen.findByRole("button", { name: "Send ₦119,896.25" });
    net = 119800;
    await userEvent.click(send);
    await screen.findByText(/₦119,896.25 would have arrived; now it is ₦119,800.00. Nothing has left your wallet./);
    await click("Send ₦119,800.00");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).toMatchObject({ net: 119800 });
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it("without an answer is asked about again with the same key, and nothing is claimed of it", async () => {
    let lost = true;
    const sent = desk({ withdraw: () => (lost ? HttpResponse.error() : yes(one("SENT"))) });
    await ask();
    await click("Send ₦119,896.25");
    await screen.findByText("We don't know yet whether this went through");
    expect(screen.queryByText("Nothing has left your wallet.")).toBeNull();
    lost = false;
    await click("Check again");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toContain("/withdrawals/w1"));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  it.each([
    [409, "This request was sent before with other details. Nothing was taken.", "CONFLICT"],
    [429, "That was too many tries. Please wait a minute.", "TOO_MANY"],
    [403, "Please confirm that it is you.", "STEP_UP"],
  ] as const)("without an answer stays unknown, whatever is said next: %i", async (status, words, code) => {
    let answer = (): Response => HttpResponse.error();
    const sent = desk({ withdraw: () => answer() });
    network.use(http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: false, recoveryCodesLeft: 0 })));
    const left = await ask();
    await click("Send ₦119,896.25");
    await screen.findByText("We don't know yet whether this went through");
    answer = () => no(status, words, code);
    await click("Check again");
    if (code === "STEP_UP") {
      await screen.findByLabelText("Your password");
      await userEvent.keyboard("{Escape}");
    }
    await waitFor(() => expect(screen.getByRole("button", { name: "Check again" })).toHaveProperty("disabled", false));
    await screen.findByText("We don't know yet whether this went through");
    expect(screen.queryByText(/Nothing (was|has)/)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
    // Another one begins where the server knows the key, if the person wants that.
    expect(Boolean(screen.queryByRole("button", { name: "Start a new one" }))).toBe(status === 409);
    if (status === 409) {
      answer = () => yes(one("SENT"));
      await click("Start a new one");
      await click("Send ₦119,896.25");
      await waitFor(() => expect(screen.getByTestId("place").textContent).toContain("/withdrawals/w1"));
      expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
      return;
    }
    // On the way back to the page it is still the first thing to see.
    left.unmount();
    show(app, "/dashboard/wallet/withdraw");
    answer = () => yes(one("SENT"));
    await click("Check again");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toContain("/withdrawals/w1"));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  it("says after a reload that an earlier one is open, and says nothing of money where only its charges fail", async () => {
    desk({ quote: () => no(422, "Your wallet holds ₦20,000.00.", "INSUFFICIENT") });
    keepsOpen("withdraw", "key-of-an-open-question");
    await ask();
    await screen.findByText("Your wallet holds ₦20,000.00.");
    expect(screen.getByText("An earlier try has no answer yet")).toBeTruthy();
    expect(screen.queryByText(/Nothing has left/)).toBeNull();
  });

  it("whose charges have no answer says nothing of money", async () => {
    desk({ quote: () => HttpResponse.error() });
    await ask();
    await screen.findByText("Unable to complete payment at the moment, please try again later");
    expect(screen.queryByText(/Nothing has left/)).toBeNull();
  });

  it("that takes long says what becomes of the money; one that failed says that it came back", async () => {
    const long = new Date(Date.now() - 600_000).toISOString();
    let now = one("SENT", { dateCreated: long });
    desk({ stands: () => now });
    show(app, "/dashboard/wallet/withdrawals/w1");
    await screen.findByText("We are asking the bank. Your money is set aside and will either arrive or come back.");
    now = one("FAILED", { reason: "The account is closed." });
    act(() => useStore.getState().refreshTopics(["wallet"]));
    const stands = await screen.findByText(/The whole amount is in your wallet again/);
    expect(within(stands.parentElement as HTMLElement).getByText("Why: The account is closed.")).toBeTruthy();
    expect(screen.queryByText(/We are asking the bank/)).toBeNull();
  });
});
