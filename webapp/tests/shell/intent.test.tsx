import { act, renderHook } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "@/api/failure";
import { payFromWallet } from "@/api/wallet";
import { useCommand } from "@/store/useCommand";
import { no, origin, pump, yes } from "../kit/help";
import { network } from "../kit/network";

const order = { amount: 5000, subAccountId: "s1", monthId: 11, userId: "u1" };
const receipt = { id: "m1", transactionRef: "r1", amount: 5000, position: 7, settled: [] };

const paying = (name = "pay:s1:2026-11-01") =>
  renderHook(() =>
    useCommand({ name, send: async (key: string, body: typeof order) => (await payFromWallet(key, body)).value }),
  );

/** Answers each request in turn and notes the keys it came with. */
function answers(...turns: (() => Response)[]) {
  const keys: (string | null)[] = [];
  network.use(
    http.post(`${origin}/api/Wallet/make-payment-with-wallet`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      const turn = turns[keys.length - 1] ?? turns.at(-1);
      return turn?.();
    }),
  );
  return keys;
}

const lost = () => HttpResponse.error();

describe("a payment's idempotency key", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("is sent once by a double click", async () => {
    const keys = answers(() => yes(receipt));
    const { result } = paying();
    await act(async () => void (await pump(Promise.all([result.current.run(order), result.current.run(order)]))));
    expect(keys).toHaveLength(1);
    expect(keys[0]?.length).toBeGreaterThanOrEqual(8);
  });

  it("survives a lost connection and a broken server: the quiet retry carries the same one", async () => {
    const keys = answers(
      lost,
      () => no(500, "oops", "INTERNAL"),
      () => yes(receipt),
    );
    const { result } = paying();
    let done: unknown;
    await act(async () => {
      done = await pump(result.current.run(order));
    });
    expect(done).toEqual(receipt);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
  });

  it("is kept while the outcome is unknown, and asking again uses it with the same payload", async () => {
    const keys = answers(lost);
    const { result } = paying();
    await act(() => expect(pump(result.current.run(order))).rejects.toMatchObject({ kind: "lost", certain: false }));
    expect(result.current.state).toBe("unknown");
    const before = keys.length;
    network.resetHandlers();
    const later = answers(() => yes(receipt));
    await act(async () => void (await pump(result.current.again())));
    expect(before).toBe(4);
    expect(later).toEqual([keys[0]]);
    expect(result.current.state).toBe("ready");
  });

  it("is given up after a refusal and after a success", async () => {
    const keys = answers(
      () => no(409, "You have already paid for this month.", "CONFLICT"),
      () => yes(receipt),
    );
    const { result } = paying();
    await act(() => expect(pump(result.current.run(order))).rejects.toBeInstanceOf(Failure));
    expect(result.current.state).toBe("ready");
    await act(async () => void (await pump(result.current.run(order))));
    await act(async () => void (await pump(result.current.run(order))));
    expect(new Set(keys).size).toBe(3);
  });

  it("is one and the same in a second tab that was opened before the answer", async () => {
    const keys = answers(() => yes(receipt));
    const first = paying();
    const second = paying();
    await act(async () => void (await pump(first.result.current.run(order))));
    await act(async () => void (await pump(second.result.current.run(order))));
    expect(keys[0]).toBe(keys[1]);
    const other = paying("pay:s1:2026-12-01");
    await act(async () => void (await pump(other.result.current.run(order))));
    expect(keys[2]).not.toBe(keys[0]);
  });
});
