import { screen } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { getActivity } from "@/api/activity";
import { Failure, failureText } from "@/api/failure";
import { searchGroups } from "@/api/savings";
import { restore } from "@/store/restore";
import { valueIn } from "@/store/source";
import { balancesSource, profileSource } from "@/store/sources";
import { ROOT_KEY, useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const EXPIRED = "Your session has expired, please log in to continue";

describe("any 401", () => {
  it("clears the session and all that is kept, says so once, and fails the request", async () => {
    const loggedOut = vi.fn();
    network.use(
      http.get(`${origin}/api/v1/activity`, () => no(401, "who?", "UNAUTHENTICATED")),
      http.get(`${origin}/api/v1/savings/search`, () => no(401, "who?", "UNAUTHENTICATED")),
      http.post(`${origin}/api/v1/account/logout`, loggedOut),
    );
    show(null);
    signIn();
    useStore.getState().put(balancesSource, { balance: 1, totalBalance: 1, groupAjoBalance: 0, savingsBalance: 0 });
    const both = await Promise.allSettled([getActivity(), searchGroups("a")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const { session, authenticated, reads, ended } = useStore.getState();
    expect({ session, authenticated, reads, ended }).toEqual({
      session: null,
      authenticated: false,
      reads: {},
      ended: "expiry",
    });
    expect(localStorage.getItem(ROOT_KEY)).not.toContain(ada.token);
    expect(await screen.findAllByText(EXPIRED)).toHaveLength(1);
    expect(screen.getByText("Error")).toBeTruthy();
    expect(loggedOut).not.toHaveBeenCalled();
  });
});

describe("the kept session", () => {
  it("lies under one root key with exactly what login answers, and logout removes it", async () => {
    network.use(
      http.post(`${origin}/api/Account/GetToken`, () => yes(ada)),
      http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
      http.post(`${origin}/api/v1/account/logout`, () => yes()),
    );
    await useStore.getState().login(ada.email, "secret12");
    expect(Object.keys(localStorage)).toEqual([ROOT_KEY]);
    expect(JSON.parse(localStorage.getItem(ROOT_KEY) ?? "").state.session).toEqual(ada);
    await useStore.getState().logout();
    expect(localStorage.getItem(ROOT_KEY)).not.toContain(ada.email);
  });

  it("is restored on start and the profile refreshed", async () => {
    const asked = vi.fn(() => yes({ ...ada, isEmailVerified: true, dateRegistered: "2026-01-01T00:00:00Z" }));
    network.use(http.get(`${origin}/api/Account/GetUserInfoById/${ada.id}`, asked));
    localStorage.setItem(ROOT_KEY, JSON.stringify({ state: { session: ada }, version: 1 }));
    await restore();
    expect(useStore.getState().authenticated).toBe(true);
    await vi.waitFor(() => expect(valueIn(useStore.getState(), profileSource)).toBeDefined());
    expect(asked).toHaveBeenCalledOnce();
  });

  it("is waited for 5 seconds at most", async () => {
    vi.useFakeTimers();
    const rehydrate = vi.spyOn(useStore.persist, "rehydrate").mockReturnValue(new Promise(() => {}));
    const done = vi.fn();
    void restore().then(done);
    await vi.advanceTimersByTimeAsync(4999);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toHaveBeenCalledOnce();
    rehydrate.mockRestore();
    vi.useRealTimers();
  });
});

describe("the sentence of a failure", () => {
  it("is the server's own, else the action's when nothing answered, else the general one", () => {
    expect(failureText(new Failure({ kind: "refused", message: "No such group." }))).toBe("No such group.");
    expect(failureText(new Failure({ kind: "lost" }))).toBe("Unable to connect, please try again");
    expect(failureText(new Failure({ kind: "lost" }), "Unable to login")).toBe("Unable to login");
    expect(failureText(new Failure({ kind: "broken", status: 502 }), "Unable to login")).toBe("Something went wrong");
  });
});
