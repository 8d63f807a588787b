import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { uploadFile } from "@/api/files";
import { listen } from "@/api/live";
import { payFromWallet } from "@/api/wallet";
import { followLive } from "@/store/live";
import type { Source } from "@/store/source";
import { balancesSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { origin, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const BALANCE = `${origin}/api/Wallet/get-user-balance`;
const PAY = `${origin}/api/Wallet/make-payment-with-wallet`;

const portal = (status: number) =>
  new HttpResponse("<h1>Buy data</h1>", { status, headers: { "Content-Type": "text/html" } });
const failure = (of: Promise<unknown>) =>
  of.then(
    () => undefined,
    (error: unknown) => error,
  );
const pay = () => payFromWallet("a-key-of-one-payment", { userId: "person-ada", amount: 100, subAccountId: "s1" });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a captive portal", () => {
  it.each([200, 401])("that answers a read with %s and HTML is no answer, and logs nobody out", async (status) => {
    signIn();
    network.use(http.get(BALANCE, () => portal(status)));
    await useStore.getState().load(balancesSource);
    expect(useStore.getState().session).not.toBeNull();
    expect(useStore.getState().reached).toBe(false);
    expect(useStore.getState().reads.balances?.failed?.text).toMatch(/check your internet connection/);
    network.use(http.get(BALANCE, () => yes({})));
    await useStore.getState().load(balancesSource);
    expect(useStore.getState().reached).toBe(true);
  });

  it("with an envelope of its own is no answer either: it has not our header", async () => {
    signIn();
    const fetched = globalThis.fetch;
    const body = { isSuccessful: true, message: "", returnedCode: "OK", returnedObject: {} };
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body));
    expect(await failure(balancesSource.read({ me: { id: "", email: "" } }))).toMatchObject({ kind: "lost" });
    globalThis.fetch = fetched;
  });

  it("that answers a write leaves its outcome unknown, an upload's too", async () => {
    signIn();
    network.use(
      http.post(PAY, () => portal(401)),
      http.post(`${origin}/api/file/profile`, () => portal(401)),
    );
    expect(await failure(pay())).toMatchObject({ kind: "lost", certain: false });
    expect(await failure(uploadFile(new File(["x"], "x.png"), "profile"))).toMatchObject({ certain: false });
    expect(useStore.getState().session).not.toBeNull();
  });

  it("that answers the live stream ends no session", async () => {
    signIn();
    let asked = 0;
    network.use(
      http.get(`${origin}/api/live`, () => {
        asked += 1;
        return portal(401);
      }),
    );
    const stop = listen({ onTopics: () => {}, onReset: () => {} });
    await vi.waitFor(() => expect(asked).toBeGreaterThan(1), { timeout: 3000 });
    stop();
    expect(useStore.getState().session).not.toBeNull();
  });
});

describe("without a network", () => {
  it("nothing is sent, and it says so", async () => {
    signIn();
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const sent = vi.spyOn(globalThis, "fetch");
    const said = "You are offline. Nothing was sent. We kept what you typed.";
    expect(await failure(pay())).toMatchObject({ certain: true, said });
    expect(await failure(uploadFile(new File(["x"], "x.png"), "profile"))).toMatchObject({ certain: true, said });
    expect(sent).not.toHaveBeenCalled();
  });
});

describe("a call without an answer", () => {
  const never = () => new Promise<never>(() => {});

  it("is given up after 15 s where it reads, and after 30 s where it writes: then it is not sent again", async () => {
    signIn();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let sent = 0;
    network.use(
      http.get(BALANCE, never),
      http.post(PAY, () => {
        sent += 1;
        return never();
      }),
    );
    for (const [call, limitMs] of [
      [() => balancesSource.read({ me: { id: "", email: "" } }), 15_000],
      [pay, 30_000],
    ] as const) {
      let ended: unknown;
      void failure(call()).then((error) => {
        ended = error;
      });
      await vi.advanceTimersByTimeAsync(limitMs - 1);
      expect(ended).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitFor(() => expect(ended).toMatchObject({ kind: "lost", late: true }));
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toBe(1);
  });
});

describe("a stream that went silent", () => {
  /** Streams that stay open, and how often one was asked for. */
  function silentStreams() {
    const asked = { times: 0 };
    network.use(
      http.get(`${origin}/api/live`, () => {
        asked.times += 1;
        const body = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode(": live\n\n")) });
        return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
      }),
    );
    return asked;
  }

  /** A source on screen, and how often it was read. */
  function shown() {
    const read = vi.fn(async () => ({ value: 1, message: "", stale: false }));
    const source: Source<number> = { key: "figure", area: "wallet", topics: ["wallet"], read };
    useStore.getState().put(source, 0);
    return read;
  }

  it("for two heartbeats is opened again, and the figures are read again", async () => {
    signIn();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const asked = silentStreams();
    const read = shown();
    const stop = followLive();
    await vi.waitFor(() => expect(asked.times).toBe(1));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked.times).toBe(1);
    expect(read).not.toHaveBeenCalled();
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      expect(asked.times).toBe(2);
      expect(read).toHaveBeenCalled();
    });
    stop();
  });

  it.each([
    ["the device is online again", () => window.dispatchEvent(new Event("online")), 0],
    ["the page comes back to the front after a sleep", () => window.dispatchEvent(new Event("focus")), 60_000],
    ["the page is shown after a sleep", () => document.dispatchEvent(new Event("visibilitychange")), 60_000],
  ])("is opened again when %s", async (_, returns, sleptMs) => {
    signIn();
    const asked = silentStreams();
    const read = shown();
    const stop = followLive();
    await vi.waitFor(() => expect(asked.times).toBe(1));
    await new Promise((resolve) => setTimeout(resolve));
    vi.setSystemTime(Date.now() + sleptMs);
    returns();
    await vi.waitFor(() => expect(asked.times).toBe(2), { timeout: 3000 });
    await vi.waitFor(() => expect(read).toHaveBeenCalled());
    stop();
  });
});
