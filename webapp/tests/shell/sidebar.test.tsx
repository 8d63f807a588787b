import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Sidebar } from "@/app/shell/Sidebar";
import { show } from "../kit/help";

const current = () => screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");

describe("the sidebar", () => {
  it("marks the item of exactly this path, whatever slash ends it", () => {
    show(<Sidebar />, "/dashboard/wallet");
    expect(current().map((link) => link.textContent)).toEqual(["WalletManage your funds"]);
  });

  it("marks none on a path beneath an item", () => {
    show(<Sidebar />, "/dashboard/activity/m1");
    expect(current()).toEqual([]);
  });

  it("shows every item with its caption, and Corporate as coming soon and not a way", () => {
    show(<Sidebar />, "/dashboard");
    const links = screen.getAllByRole("link", { name: /(Overview|Manage|history|Collective|Rotating|settings)/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/dashboard",
      "/dashboard/wallet/",
      "/dashboard/activity",
      "/savings",
      "/ajo/groups/all",
      "/dashboard/profile",
    ]);
    const corporate = screen.getByText("Corporate").closest("[aria-disabled]");
    expect(corporate?.getAttribute("aria-disabled")).toBe("true");
    expect(corporate?.tagName).not.toBe("A");
    expect(screen.getByText("Coming soon")).toBeTruthy();
    expect(screen.getByText("v1.0")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Help & Support" })).toBeTruthy();
  });

  it("collapses to icons that keep their names", () => {
    show(<Sidebar collapsed onCollapse={() => {}} />, "/dashboard");
    expect(screen.getByRole("link", { name: "Wallet" }).textContent).toBe("");
    expect(screen.getByRole("button", { name: "Expand sidebar" })).toBeTruthy();
  });

  describe("below 1024 px", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("closes 100 ms after an item is chosen", () => {
      const onClose = vi.fn();
      show(<Sidebar onClose={onClose} />, "/dashboard");
      fireEvent.click(screen.getByRole("link", { name: /Wallet/ }));
      act(() => void vi.advanceTimersByTime(99));
      expect(onClose).not.toHaveBeenCalled();
      act(() => void vi.advanceTimersByTime(1));
      expect(onClose).toHaveBeenCalledOnce();
      expect(screen.getByTestId("place").textContent).toBe("/dashboard/wallet/");
    });

    it("closes at once on the logo, which leads to the dashboard", () => {
      const onClose = vi.fn();
      show(<Sidebar onClose={onClose} />, "/savings");
      fireEvent.click(screen.getByRole("link", { name: /to the dashboard/ }));
      expect(onClose).toHaveBeenCalledOnce();
      expect(screen.getByTestId("place").textContent).toBe("/dashboard");
    });
  });
});
