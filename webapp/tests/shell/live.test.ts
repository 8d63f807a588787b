import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { listen } from "@/api/live";
import type { Source } from "@/store/source";
import { useStore } from "@/store/store";
import { ada, no, origin, signIn } from "../kit/help";
import { network } from "../kit/network";

const stream = (...events: string[]) =>
  new HttpResponse(events.map((event) => `${event}\n\n`).join(""), {
    headers: { "Content-Type": "text/event-stream" },
  });

describe("the live stream", () => {
  it("carries the token, hands out topics, and resumes after the last event it saw", async () => {
    signIn();
    const asked: (string | null)[][] = [];
    network.use(
      http.get(`${origin}/api/live`, ({ request }) => {
        asked.push([request.headers.get("Authorization"), request.headers.get("Last-Event-ID")]);
        if (asked.length === 1) return stream('id: 41\ndata: {"position":41,"topics":["wallet","group:g1"]}');
        return stream('id: 42\nevent: reset\ndata: {"position":42,"topics":[]}');
      }),
    );
    const onTopics = vi.fn();
    const onReset = vi.fn();
    const stop = listen({ onTopics, onReset });
    await vi.waitFor(() => expect(onReset).toHaveBeenCalled(), { timeout: 3000 });
    stop();
    expect(onTopics).toHaveBeenCalledExactlyOnceWith(["wallet", "group:g1"]);
    expect(asked[0]?.[0]).toBe(`Bearer ${ada.token}`);
    expect(asked[1]?.[1]).toBe("41");
  });

  it("that opens late has all read again that was read before it, and one that opens at once does not", async () => {
    signIn();
    network.use(http.get(`${origin}/api/live`, () => stream(": live")));
    for (const [opensAfter, resets] of [
      [4000, 0],
      [6000, 1],
    ] as const) {
      const onReset = vi.fn();
      const opened = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(opensAfter);
      const stop = listen({ onTopics: () => {}, onReset });
      await vi.waitFor(() => expect(opened.mock.calls.length).toBeGreaterThanOrEqual(2));
      stop();
      opened.mockRestore();
      expect(onReset).toHaveBeenCalledTimes(resets);
    }
  });

  it("that the server ends ends the session within a second, once it says that nobody is there", async () => {
    signIn();
    let asked = 0;
    network.use(
      http.get(`${origin}/api/live`, () => {
        asked += 1;
        if (asked > 1) return no(401, "who?", "UNAUTHENTICATED");
        return stream('id: 41\ndata: {"position":41,"topics":["wallet"]}');
      }),
    );
    const onTopics = vi.fn();
    const stop = listen({ onTopics, onReset: () => {} });
    await vi.waitFor(() => expect(onTopics).toHaveBeenCalled());
    const began = performance.now();
    await vi.waitFor(() => expect(useStore.getState().session).toBeNull(), { timeout: 2000, interval: 5 });
    expect(performance.now() - began).toBeLessThan(1000);
    expect(useStore.getState().ended).toBe("expiry");
    stop();
    expect(asked).toBe(2);
  });

  it("sends the cookie along, as every call does: by what the browser does of itself", async () => {
    signIn();
    const modes: string[] = [];
    network.use(
      http.get(`${origin}/api/live`, ({ request }) => {
        modes.push(request.credentials);
        return no(401, "who?", "UNAUTHENTICATED");
      }),
    );
    listen({ onTopics: () => {}, onReset: () => {} });
    await vi.waitFor(() => expect(modes).toEqual(["same-origin"]));
  });

  it("has just the named and loaded parts read again", () => {
    const asked: string[] = [];
    const source = (key: string, ...topics: string[]): Source<unknown> => ({
      key,
      area: "savings",
      topics,
      read: () => {
        asked.push(key);
        return new Promise(() => {});
      },
    });
    const { put, load, refreshTopics } = useStore.getState();
    put(source("balances", "wallet"), 1);
    put(source("group", "group:g1"), 1);
    put(source("another group", "group:g2"), 1);
    put(source("activity", "activity"), 1);
    put(source("any group", "group"), 1);
    put(source("of neither", "notifications"), 1);
    void load(source("still loading", "wallet"));
    refreshTopics(["wallet", "group:g1", "group:other"]);
    expect(asked.sort()).toEqual(["any group", "balances", "group", "still loading"]);
  });
});
