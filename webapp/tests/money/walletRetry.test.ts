import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getBalances } from "@/api/wallet";
import { balancesSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { no, origin, pump, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const figures = { balance: 25000, totalBalance: 25000, groupAjoBalance: 0, savingsBalance: 0 };

function answers(...turns: (() => Response)[]) {
  const times: number[] = [];
  network.use(
    http.get(`${origin}/api/Wallet/get-user-balance`, () => {
      times.push(Date.now());
      return (turns[times.length - 1] ?? turns.at(-1))?.();
    }),
  );
  return times;
}

const text = () => {
  const { reads, errors } = useStore.getState();
  expect(errors.wallet).toBe(reads.balances?.failed?.text);
  return reads.balances?.failed?.text;
};

describe("wallet reads", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    signIn();
  });
  afterEach(() => void vi.useRealTimers());

  it("are tried again after 1, 2 and 4 s on a 500", async () => {
    const times = answers(
      () => no(500, "", "INTERNAL"),
      () => no(500, "", "INTERNAL"),
      () => no(500, "", "INTERNAL"),
      () => yes(figures),
    );
    const { value } = await pump(getBalances("ada@example.com"));
    expect(value).toEqual(figures);
    const waits = times.slice(1).map((time, at) => Math.floor((time - (times[at] ?? 0)) / 1000));
    expect(waits).toEqual([1, 2, 4]);
  });

  it("give up after the third retry with the transient sentence", async () => {
    const times = answers(() => no(500, "x", "INTERNAL"));
    await pump(useStore.getState().load(balancesSource));
    expect(times).toHaveLength(4);
    expect(text()).toBe("Service temporarily unavailable. Please try again in a few moments.");
  });

  it("are retried on a transient failure whatever its status", async () => {
    const times = answers(
      () => no(503, "Transient failure in the ledger", "UNAVAILABLE"),
      () => yes(figures),
    );
    await pump(getBalances("a"));
    expect(times).toHaveLength(2);
  });

  it("are not retried otherwise, and say which it was", async () => {
    const other = answers(() => no(404, "none", "NOT_FOUND"));
    await pump(useStore.getState().load(balancesSource));
    expect(other).toHaveLength(1);
    expect(text()).toBe("An unexpected error occurred. Please try again.");
  });

  it("name a server's other failure", async () => {
    const times = answers(() => no(502, "bad gateway", "INTERNAL"));
    await pump(useStore.getState().load(balancesSource));
    expect(times).toHaveLength(1);
    expect(text()).toBe("Server error. Please try again later.");
  });

  it("name a lost connection", async () => {
    const times = answers(() => HttpResponse.error());
    await pump(useStore.getState().load(balancesSource));
    expect(times).toHaveLength(1);
    expect(text()).toBe("Unable to connect to the server. Please check your internet connection.");
  });
});
