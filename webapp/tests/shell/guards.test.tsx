import { act, screen } from "@testing-library/react";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { LoginRequired, PublicOnly } from "@/app/guards";
import { useStore } from "@/store/store";
import { ada, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const app = (
  <Routes>
    <Route element={<PublicOnly />}>
      <Route path="/" element={<p>landing</p>} />
      <Route path="/login" element={<p>login</p>} />
    </Route>
    <Route element={<LoginRequired />}>
      <Route path="/dashboard" element={<p>dashboard</p>} />
      <Route path="/savings/:id" element={<p>group</p>} />
    </Route>
  </Routes>
);

const place = () => screen.getByTestId("place");

describe("screens that need a login", () => {
  beforeEach(() => network.use(http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada))));

  it("send others to /login, remembering the whole address, and take them back", async () => {
    network.use(http.post(`${origin}/api/Account/GetToken`, () => yes(ada, "Welcome")));
    show(app, "/savings/g1?tab=members");
    expect(place().textContent).toBe("/login");
    expect(place().dataset.from).toBe("/savings/g1?tab=members");
    await act(() => useStore.getState().login("ada@example.com", "secret12"));
    expect(place().textContent).toBe("/savings/g1?tab=members");
    expect(screen.getByText("group")).toBeTruthy();
  });

  it("after an expiry remember where one was, after a logout they don't", async () => {
    network.use(http.post(`${origin}/api/v1/account/logout`, () => yes()));
    signIn();
    show(app, "/savings/g1?tab=members");
    act(() => useStore.getState().expire());
    expect(place().dataset.from).toBe("/savings/g1?tab=members");
    act(signIn);
    expect(place().textContent).toBe("/savings/g1?tab=members");
    await act(() => useStore.getState().logout());
    expect(place().textContent).toBe("/login");
    expect(place().dataset.from).toBe("");
  });
});

describe("public-only screens", () => {
  it("take those signed in to the dashboard", () => {
    signIn();
    show(app, "/");
    expect(place().textContent).toBe("/dashboard");
  });

  it("stay open to others", () => {
    show(app, "/");
    expect(screen.getByText("landing")).toBeTruthy();
  });
});
