import { readdirSync, readFileSync } from "node:fs";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { BottomBar } from "@/app/shell/BottomBar";
import { above } from "@/app/shell/places";
import { TopBar } from "@/app/shell/TopBar";
import { patterns } from "@/lib/paths";
import { routes } from "@/lib/routes";
import { useStore } from "@/store/store";
import { PageHead } from "@/ui/Card";
import { TitleSlot } from "@/ui/frame";
import { show, signIn } from "../kit/help";

/** A page in the frame of a phone. */
function Framed() {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <>
      <TopBar wide={false} onMenu={() => {}} onSlot={setSlot} />
      <TitleSlot value={slot}>
        <main>
          <PageHead title="Members" />
        </main>
      </TitleSlot>
    </>
  );
}

describe("the bottom bar", () => {
  const marked = () =>
    within(screen.getByRole("navigation", { name: "Main places" }))
      .getAllByRole("link")
      .filter((link) => link.hasAttribute("aria-current"))
      .map((link) => [link.textContent, link.getAttribute("aria-current")]);

  it("has the five places", () => {
    show(<BottomBar />, "/dashboard");
    expect(screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Home", "/dashboard"],
      ["Groups", "/savings"],
      ["Ajo", "/ajo/groups/all"],
      ["Wallet", "/dashboard/wallet/"],
      ["Activity", "/dashboard/activity"],
    ]);
  });

  it.each([
    ["/dashboard", ["Home", "page"]],
    ["/dashboard/wallet", ["Wallet", "page"]],
    ["/savings/g1/members", ["Groups", "true"]],
    ["/dashboard/sub-account/payment", ["Groups", "true"]],
    ["/dashboard/ajo/payment", ["Ajo", "true"]],
    ["/dashboard/activity/m1", ["Activity", "true"]],
  ])("marks on %s the place that it belongs to", (path, mark) => {
    show(<BottomBar />, path);
    expect(marked()).toEqual([mark]);
  });

  it.each(["/dashboard/profile", "/disputes", "/dashboard/security"])("marks none on %s", (path) => {
    show(<BottomBar />, path);
    expect(marked()).toEqual([]);
  });
});

describe("one level up", () => {
  it.each([
    ["/savings/g1/members", "/savings/g1"],
    ["/savings/g1", "/savings"],
    ["/savings/sub-account/s1", "/savings"],
    ["/savings/group/invite", "/savings"],
    ["/ajo/a1/payment-requests", "/ajo/a1"],
    ["/ajo/a1", "/ajo/groups/all"],
    ["/ajo/group/invite", "/ajo/groups/all"],
    ["/ajo/cards/round", "/ajo/cards"],
    ["/dashboard/wallet/withdrawals/w1", "/dashboard/wallet/withdraw"],
    ["/dashboard/wallet/withdraw", "/dashboard/wallet/"],
    ["/dashboard/activity/m1", "/dashboard/activity"],
    ["/dashboard/security", "/dashboard/profile"],
    ["/disputes/d1", "/disputes"],
    ["/dashboard/notifications", "/dashboard"],
  ])("from %s is %s", (path, up) => expect(above(path, ["User"])).toBe(up));

  it("is nothing where the menu itself leads", () => {
    for (const path of ["/dashboard", "/dashboard/wallet/", "/savings", "/ajo/groups/all", "/dashboard/profile"]) {
      expect(above(path, ["User"]), path).toBeUndefined();
    }
    expect(above("/finance", ["User"])).toBe("/dashboard");
    expect(above("/finance", ["FinanceOps"])).toBeUndefined();
  });

  it("is a screen, from every screen", () => {
    const known = Object.values(patterns).map(
      (pattern) => new RegExp(`^${pattern.replace(/:\w+\??/, "[^/]+").replace(/\/$/, "")}/?$`),
    );
    for (const pattern of Object.values(routes.members)) {
      const up = above(pattern.replace(/:\w+/, "id"), ["User"]);
      if (up)
        expect(
          known.some((one) => one.test(up)),
          `${pattern} → ${up}`,
        ).toBe(true);
    }
  });
});

describe("the header below 1024 px", () => {
  beforeEach(() => signIn());

  it("holds the page's title", () => {
    show(<Framed />, "/savings");
    const header = within(screen.getByRole("banner"));
    expect(header.getByRole("heading", { level: 1, name: "Members" })).toBeTruthy();
    expect(within(screen.getByRole("main")).queryByRole("heading")).toBeNull();
  });

  it("opens the menu where the menu leads, and the search everywhere", async () => {
    show(<Framed />, "/savings");
    expect(screen.getByRole("button", { name: "Open menu" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Back" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Search savings groups" }));
    expect(useStore.getState().searchOpen).toBe(true);
  });

  it("goes one level up for a person who came from elsewhere", async () => {
    show(<Framed />, "/savings/g1/members");
    await userEvent.click(screen.getByRole("link", { name: "Back" }));
    expect(screen.getByTestId("place").textContent).toBe("/savings/g1");
  });
});

it("no screen has a width of its own", () => {
  const files = readdirSync("src/features", { recursive: true, encoding: "utf8" }).filter((file) =>
    /screens\/\w+\.tsx$/.test(file),
  );
  expect(files.length).toBeGreaterThan(40);
  const own = files.filter((file) =>
    /<(Box|Stack|chakra\.div)[^>]* maxWidth="\d/.test(readFileSync(`src/features/${file}`, "utf8")),
  );
  // The landing page is outside the frame.
  expect(own.filter((file) => !file.includes("landing"))).toEqual([]);
});
