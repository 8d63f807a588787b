import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { Sidebar } from "@/app/shell/Sidebar";
import { origin, show, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, as, row } from "./support";

beforeEach(() => as("Support"));

describe("the desk of Support", () => {
  const served = () =>
    network.use(
      http.get(`${origin}/api/v1/support/cases`, ({ request }) => {
        const list = new URL(request.url).searchParams.get("list");
        const cases = {
          OPEN: [row(), row({ id: "c2", number: "AD-2", late: true, decideBy: "2020-01-01T00:00:00Z" })],
        };
        return yes({ cases: cases[list as "OPEN"] ?? [], open: 2, waiting: 1, mine: 0, late: 1 });
      }),
    );

  it.each([
    ["FinanceOps", false],
    ["Support", true],
    ["Admin", true],
  ])("is there for %s: %s", (role, there) => {
    served();
    as(role);
    show(app, "/support");
    expect(Boolean(screen.queryByRole("heading", { name: "Support desk" }))).toBe(there);
    show(<Sidebar />, "/dashboard");
    expect(Boolean(screen.queryByRole("link", { name: /Support desk/ }))).toBe(there);
  });

  it("shows what is due, masked, with counts; late in words", async () => {
    served();
    show(app, "/support");
    await screen.findByText("2 are open, 1 waits to be taken, 1 is late.");
    expect(screen.getByRole("link", { name: "Open (2)" }).getAttribute("aria-current")).toBe("page");
    const [first, second] = screen.getAllByRole("link", { name: /It went to the wrong due/ });
    expect(first?.textContent).toContain("AD-7K2P-9QX3 · Member 3F9A · Nobody has it");
    expect(first?.textContent).toMatch(/Due in \d+ days/);
    expect(second?.textContent).toMatch(/Late by \d+ days/);
    await userEvent.click(screen.getByRole("link", { name: "Mine (0)" }));
    await screen.findByText("You have no case");
  });
});
