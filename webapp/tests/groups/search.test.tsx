import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { SearchDrawer } from "@/features/groups/search/SearchDrawer";
import { useStore } from "@/store/store";
import { origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const balogun = {
  id: "g1",
  name: "Balogun Traders",
  memberCount: 3,
  amount: 5000,
  isMember: true,
  nextPayment: "2026-12-01",
  totalSaved: 125000.5,
  growthPercent: 12.5,
  termsHidden: false,
  totalsHidden: false,
  lookAlike: false,
};
const ikeja = {
  id: "g2",
  name: "Ikeja Teachers",
  memberCount: 1,
  isMember: false,
  termsHidden: true,
  totalsHidden: true,
  lookAlike: true,
};

function holding(rows: (typeof balogun | typeof ikeja)[], slowWord = "") {
  network.use(
    http.get(`${origin}/api/v1/savings/search`, async ({ request }) => {
      const q = new URL(request.url).searchParams.get("q") ?? "";
      if (slowWord && q === slowWord) await delay(600);
      return yes(rows.filter((row) => row.name.toLowerCase().includes(q.toLowerCase())));
    }),
  );
}

const box = () => screen.findByPlaceholderText("Search for active savings groups");

describe("the search drawer", () => {
  beforeEach(() => useStore.setState({ searchOpen: true }));

  it("asks to type, finds whatever the case, and shows each row's figures", async () => {
    holding([balogun, ikeja]);
    show(<SearchDrawer />);
    expect(await screen.findByText("Start typing to search...")).toBeTruthy();
    await userEvent.type(await box(), "TRADERS");
    const row = await screen.findByRole("link", { name: /Balogun Traders/ });
    expect(row.getAttribute("href")).toBe("/savings/g1");
    for (const words of ["3 members", "₦5,000.00 a month", "1 Dec 2026", "₦125,000.50", "+12.5%"]) {
      expect(row.textContent).toContain(words);
    }
    expect(screen.queryByText("Ikeja Teachers")).toBeNull();
  });

  it("says what the owner does not show, and marks a name like another's", async () => {
    holding([balogun, ikeja]);
    show(<SearchDrawer />);
    await userEvent.type(await box(), "e");
    const row = await screen.findByRole("link", { name: /Ikeja Teachers/ });
    expect(row.textContent).not.toContain("₦");
    expect(row.textContent?.match(/Not shown by the owner/g)).toHaveLength(3);
    expect(row.textContent).toContain("like that of an older group");
    const other = screen.getByRole("link", { name: /Balogun Traders/ });
    expect(other.textContent).not.toContain("like that of an older group");
  });

  it("says when nothing is found", async () => {
    holding([balogun]);
    show(<SearchDrawer />);
    await userEvent.type(await box(), "zzz");
    expect(await screen.findByText("No result found.")).toBeTruthy();
  });

  it("says when there is no group at all", async () => {
    holding([]);
    show(<SearchDrawer />);
    expect(await screen.findByText("No group savings available")).toBeTruthy();
  });

  it("drops an answer that comes after newer words", async () => {
    holding([balogun, ikeja], "bal");
    show(<SearchDrawer />);
    const input = await box();
    await userEvent.type(input, "bal");
    await new Promise((resolve) => setTimeout(resolve, 250));
    await userEvent.clear(input);
    await userEvent.type(input, "ike");
    await screen.findByText("Ikeja Teachers");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(screen.queryByText("Balogun Traders")).toBeNull();
  });

  it("is closed by Cancel", async () => {
    holding([balogun]);
    show(<SearchDrawer />);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(useStore.getState().searchOpen).toBe(false);
  });
});
