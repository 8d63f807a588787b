import { act, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approveAjoPayout } from "@/api/ajoActs";
import { bearer, lastPosition } from "@/api/client";
import { decideWaiver } from "@/api/dues";
import { leaveGroup } from "@/api/groups";
import { listen } from "@/api/live";
import { WRITE_WAITS_MS } from "@/api/retry";
import type { WithdrawalQuote } from "@/api/schema.gen";
import { getBalances } from "@/api/wallet";
import { withdraw } from "@/api/withdrawals";
import { LoginRequired } from "@/app/guards";
import { Withdraw } from "@/features/money/withdrawals/screens/Withdraw";
import { sendCommand } from "@/store/command";
import { pictureOf } from "@/store/files";
import { followOtherTabs } from "@/store/restore";
import { balancesSource } from "@/store/sources";
import { ROOT_KEY, useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { bola, bolaComes } from "../kit/bola";
import { account, ada, click, no, origin, pump, show, signIn, yes } from "../kit/help";
import { keepsOpen, keysKept } from "../kit/kept";
import { network } from "../kit/network";

const bearerOf = (request: Request) => request.headers.get("Authorization");
const fake = () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

/** Holds the answers to Ada's calls until it is told to let them go. */
function holding(answer: () => Response) {
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const reply = async (request: Request) => {
    if (bearerOf(request) === `Bearer ${ada.token}`) await held;
    return answer();
  };
  return { letGo, reply };
}

describe("a repeated call", () => {
  beforeEach(() => {
    fake();
    WRITE_WAITS_MS.splice(0, 3, 700, 1500, 3000); // In which another person comes.
  });
  afterEach(() => void vi.useRealTimers());

  const orders = { amount: 50_000, net: 49_946.25 };
  const withdrawing = () =>
    renderHook(() => useCommand({ name: "withdraw", send: (key: string, body: typeof orders) => withdraw(key, body) }));

  /** No answer comes to the first try; notes whose calls come. */
  function lostOnce(path: string) {
    const bearers: (string | null)[] = [];
    network.use(
      http.all(origin + path, ({ request }) => {
        bearers.push(bearerOf(request));
        return bearers.length > 1 ? yes({}) : HttpResponse.error();
      }),
    );
    return bearers;
  }

  it("of Ada's withdrawal is never sent with Bola's token", async () => {
    signIn();
    const bearers = lostOnce("/api/v1/wallet/withdrawals");
    const { result } = withdrawing();
    let sent: Promise<unknown> = Promise.resolve();
    act(() => {
      sent = result.current.run(orders).catch(() => {});
    });
    await vi.waitFor(() => expect(bearers).toEqual(["Bearer token-of-ada"]));
    act(bolaComes);
    await act(async () => void (await pump(sent)));
    expect(bearers).toEqual(["Bearer token-of-ada"]);
  });

  const words = [
    {
      what: "a pot that Ada approves is not approved by Bola",
      path: "/api/v1/ajo/a1/payouts/2/approve",
      send: (key: string) => approveAjoPayout(key, "a1", 2),
    },
    {
      what: "Ada, who leaves a group and gives up what she saved, does not take Bola out of it",
      path: "/api/v1/savings/groups/g1/leave",
      send: (key: string) => leaveGroup(key, "g1", true),
    },
    {
      what: "a due that Ada lets a member off is not let off by Bola too",
      path: "/api/v1/savings/waivers/w1/decide",
      send: (key: string) => decideWaiver(key, "w1", { approve: true }),
    },
  ];

  for (const { what, path, send } of words) {
    it(`stops with its session: ${what}`, async () => {
      signIn();
      const bearers = lostOnce(path);
      const sent = sendCommand<unknown>({ name: what }, send).catch(() => {});
      await vi.waitFor(() => expect(bearers).toHaveLength(1));
      bolaComes();
      await pump(sent);
      expect(bearers).toEqual(["Bearer token-of-ada"]);
    });
  }

  it("of a read stops with its session, too", async () => {
    signIn();
    let asked = 0;
    network.use(
      http.get(`${origin}/api/Wallet/get-user-balance`, () => {
        asked += 1;
        return no(500, "oops", "INTERNAL");
      }),
    );
    const failed = getBalances(ada.email).catch((error: unknown) => error);
    await vi.waitFor(() => expect(asked).toBe(1));
    bolaComes();
    await expect(pump(failed)).resolves.toMatchObject({ kind: "ended" });
    expect(asked).toBe(1);
  });

  it("after a step-up is not sent where somebody else is signed in by then, and they are not asked for it", async () => {
    signIn();
    const { letGo, reply } = holding(() => no(403, "Please confirm that it is you.", "STEP_UP"));
    let calls = 0;
    network.use(
      http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
        calls += 1;
        return reply(request);
      }),
    );
    const late = withdraw("key-of-ada", orders).catch((error: unknown) => error);
    await vi.waitFor(() => expect(calls).toBe(1));
    bolaComes();
    letGo();
    await expect(pump(late)).resolves.toMatchObject({ kind: "ended" });
    expect(useStore.getState().stepUpAsked).toBe(false);
    expect(calls).toBe(1);
  });

  it("that Ada would ask for again is not asked for by Bola", async () => {
    signIn();
    const bearers: (string | null)[] = [];
    network.use(
      http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
        bearers.push(bearerOf(request));
        return HttpResponse.error();
      }),
    );
    const { result } = withdrawing();
    await act(() => expect(pump(result.current.run(orders))).rejects.toMatchObject({ kind: "lost" }));
    const before = bearers.length;
    act(bolaComes);
    await act(async () => void (await pump(result.current.again())));
    expect(result.current.state).toBe("ready");
    expect(bearers).toHaveLength(before);
  });
});

describe("what comes for Ada once Bola is signed in", () => {
  it("does not become Bola's account", async () => {
    signIn();
    const { letGo, reply } = holding(() => yes({ ...account, bankName: "GTBank" }, "Saved"));
    network.use(
      http.all(`${origin}/api/*`, ({ request }) =>
        request.method === "GET" ? yes({ ...account, ...bola }) : reply(request),
      ),
    );
    const saving = useStore.getState().saveProfile({ firstName: "Ada" });
    await delay(20);
    bolaComes();
    letGo();
    await expect(saving).rejects.toMatchObject({ kind: "ended" });
    const { session, reads } = useStore.getState();
    expect(session).toEqual(bola);
    expect(JSON.stringify(reads)).not.toContain("ada@example.com");
  });

  it("is not shown, even where nothing was dropped: no balance and no error", async () => {
    signIn();
    const { letGo, reply } = holding(() => yes({ balance: 90_000 }));
    network.use(http.get(`${origin}/api/Wallet/get-user-balance`, ({ request }) => reply(request)));
    const reading = useStore.getState().load(balancesSource);
    await delay(20);
    useStore.setState({ session: bola });
    letGo();
    await reading;
    expect(useStore.getState().reads[balancesSource.key]?.pages).toEqual([]);
    expect(useStore.getState().errors).toEqual({});
  });

  it("moves no position that Bola's reads wait for", async () => {
    signIn();
    const { letGo, reply } = holding(
      () =>
        new Response(JSON.stringify({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: {} }), {
          headers: { "Content-Type": "application/json", "X-Position": "9007" },
        }),
    );
    network.use(http.post(`${origin}/api/v1/savings/groups/g1/leave`, ({ request }) => reply(request)));
    const late = leaveGroup("key-of-ada", "g1", false).catch(() => {});
    await delay(20);
    bolaComes();
    letGo();
    await late;
    expect(lastPosition()).toBe(0);
  });

  it("is a 401 that does not end Bola's session, nor her keys", async () => {
    signIn();
    const { letGo, reply } = holding(() => no(401, "Please log in.", "UNAUTHENTICATED"));
    network.use(http.get(`${origin}/api/Wallet/get-user-balance`, ({ request }) => reply(request)));
    const late = getBalances(ada.email).catch(() => {});
    await delay(20);
    act(() => {
      bolaComes();
      keepsOpen("withdraw", "key-of-bolas-open-question");
    });
    letGo();
    await late;
    expect(useStore.getState().session?.id).toBe("person-bola");
    expect(keysKept(bola.id)).toEqual(["key-of-bolas-open-question"]);
  });

  it("is no live news, and a 401 of the stream ends nothing", async () => {
    signIn();
    const { letGo, reply } = holding(() => no(401, "Please log in.", "UNAUTHENTICATED"));
    const asked: (string | null)[] = [];
    network.use(
      http.get(`${origin}/api/live`, ({ request }) => {
        asked.push(bearerOf(request));
        return reply(request);
      }),
    );
    const stop = listen({ onTopics: () => {}, onReset: () => {} });
    await vi.waitFor(() => expect(asked).toEqual(["Bearer token-of-ada"]));
    bolaComes();
    letGo();
    await delay(50);
    stop();
    expect(bearer()).toBe(bola.token);
    expect(asked).toHaveLength(1);
  });

  it("is no picture, and does not take away the one that Bola asked for", async () => {
    signIn();
    const { letGo, reply } = holding(() => new Response("picture", { headers: { "Content-Type": "image/png" } }));
    let asked = 0;
    network.use(
      http.get(`${origin}/api/v1/files/f1`, ({ request }) => {
        asked += 1;
        return reply(request);
      }),
    );
    const late = pictureOf("/api/v1/files/f1").catch((error: unknown) => error);
    await delay(20);
    bolaComes();
    const hers = await pictureOf("/api/v1/files/f1");
    letGo();
    await expect(late).resolves.toMatchObject({ kind: "ended" });
    await expect(pictureOf("/api/v1/files/f1")).resolves.toBe(hers);
    expect(asked).toBe(2);
  });
});

describe("what Ada was shown", () => {
  const quote: WithdrawalQuote = {
    amount: 50_000,
    fee: 50,
    vat: 3.75,
    stampDuty: 0,
    net: 49_946.25,
    accountName: "ADA OBI",
    accountNumber: "6789",
    bankName: "GTBank",
  } as WithdrawalQuote;

  it("is not agreed to by Bola, whom another tab signed in: everything is mounted again", async () => {
    signIn();
    const stop = followOtherTabs();
    const sent: (string | null)[] = [];
    network.use(
      http.get(`${origin}/api/Wallet/get-user-balance`, () =>
        yes({ balance: 90_000, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 90_000, held: 0 }),
      ),
      http.get(`${origin}/api/v1/wallet/limits`, () => yes({ left: 100_000, tiers: [] })),
      http.get(`${origin}/api/v1/wallet/withdrawals`, () => yes({ withdrawals: [] })),
      http.post(`${origin}/api/v1/wallet/withdrawals/quote`, () => yes(quote)),
      http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
        sent.push(bearerOf(request));
        return yes({ id: "w1" });
      }),
    );
    show(
      <Routes>
        <Route element={<LoginRequired />}>
          <Route path="/dashboard/wallet/withdraw" element={<Withdraw />} />
        </Route>
        <Route path="/login" element={<p>Log in</p>} />
      </Routes>,
      "/dashboard/wallet/withdraw",
    );
    await userEvent.type(await screen.findByLabelText(/How much/), "50000");
    await click("See the charges");
    await screen.findByText("ADA OBI");
    localStorage.setItem(ROOT_KEY, JSON.stringify({ state: { session: bola }, version: 1 }));
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: ROOT_KEY })));
    await waitFor(() => expect(useStore.getState().session?.id).toBe("person-bola"));
    expect(screen.queryByText("ADA OBI")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
    expect(await screen.findByLabelText(/How much/)).toHaveProperty("value", "");
    stop();
    expect(sent).toEqual([]);
  });
});
