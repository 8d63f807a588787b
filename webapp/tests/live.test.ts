import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { listen } from "@/api/live";
import { useStore } from "@/store/store";
import { ada, no, origin, signIn } from "./help";
import { network } from "./network";

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
    const load = {
      loadBalances: vi.fn(),
      loadMovements: vi.fn(),
      loadActivity: vi.fn(),
      loadNotifications: vi.fn(),
      loadGroup: vi.fn(),
      loadSubAccounts: vi.fn(),
      loadGroups: vi.fn(),
      loadDashboard: vi.fn(),
    };
    useStore.setState({ ...load, balances: { state: "loading" }, groupById: { g1: { state: "loading" } } });
    useStore.getState().refreshTopics(["wallet", "group:g1", "group:other"]);
    expect(load.loadBalances).toHaveBeenCalledOnce();
    expect(load.loadGroup).toHaveBeenCalledExactlyOnceWith("g1");
    for (const name of [
      "loadMovements",
      "loadActivity",
      "loadNotifications",
      "loadSubAccounts",
      "loadGroups",
      "loadDashboard",
    ] as const) {
      expect(load[name], name).not.toHaveBeenCalled();
    }
  });
});
