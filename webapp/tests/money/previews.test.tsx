import { act, renderHook } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "@/api/client";
import type { PaymentQuote } from "@/api/schema.gen";
import { usePayout } from "@/store/payment/usePayout";
import { useRailPayment } from "@/store/payment/useRailPayment";
import { origin, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

beforeEach(signIn);

/** Charges that are answered when they are told to be, in any order. */
function charges() {
  const waiting = new Map<number, () => void>();
  const ask = (amount: number) =>
    new Promise<Answer<{ net: number }>>((resolve) => {
      waiting.set(amount, () => resolve({ value: { net: amount - 50 }, message: "", stale: false }));
    });
  return { ask, answers: (amount: number) => act(async () => waiting.get(amount)?.()) };
}

describe("the charges that are shown are of the amount that was asked for last", () => {
  const paying = (ask: (amount: number) => Promise<Answer<{ net: number }>>) =>
    renderHook(() =>
      usePayout<number, { net: number }, { net: number }, object>({
        name: "withdraw",
        quote: ask,
        send: () => new Promise(() => {}),
        onSent: () => {},
      }),
    ).result;

  it("where the answer about the earlier amount comes later", async () => {
    const { ask, answers } = charges();
    const result = paying(ask);
    act(() => result.current.ask(50_000));
    act(() => result.current.ask(20_000));
    await answers(20_000);
    await answers(50_000);
    expect(result.current).toMatchObject({ wish: 20_000, quote: { net: 19_950 }, quoting: false });
  });

  it("and none, where the person went back to the form meanwhile", async () => {
    const { ask, answers } = charges();
    const result = paying(ask);
    act(() => result.current.ask(50_000));
    act(() => result.current.change());
    expect(result.current.quoting).toBe(false);
    await answers(50_000);
    expect(result.current.quote).toBeUndefined();
  });

  it("and the same of a payment by card", async () => {
    const waiting: (() => void)[] = [];
    network.use(
      http.get(`${origin}/api/v1/payment/quote`, async ({ request }) => {
        const amount = Number(new URL(request.url).searchParams.get("amount"));
        await new Promise<void>((resolve) => waiting.push(resolve));
        return yes({ amount, extraCharges: 0, total: amount } as PaymentQuote);
      }),
    );
    const { result } = renderHook(() => useRailPayment("fund"));
    let first: Promise<void> | undefined;
    let second: Promise<void> | undefined;
    act(() => {
      first = result.current.review({ amount: 50_000, channel: "CARD" });
    });
    await expect.poll(() => waiting.length).toBe(1);
    act(() => {
      second = result.current.review({ amount: 20_000, channel: "CARD" });
    });
    await expect.poll(() => waiting.length).toBe(2);
    await act(async () => {
      waiting[1]?.();
      await second;
    });
    await act(async () => {
      waiting[0]?.();
      await first;
    });
    expect(result.current.stage).toMatchObject({ at: "review", order: { amount: 20_000 } });
    expect(result.current.quoting).toBe(false);
  });
});
