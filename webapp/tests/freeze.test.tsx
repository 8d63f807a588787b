import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Freeze as Frozen } from "@/api/types";
import { Freeze } from "@/features/security/parts/Freeze";
import { Frozen as FrozenNote } from "@/features/withdrawals/parts/Frozen";
import { useStore } from "@/store/store";
import { click, origin, show, signIn, yes } from "./help";
import { network } from "./network";

let frozen: Frozen;
beforeEach(() => {
  frozen = { frozen: false };
  signIn();
  network.use(http.get(`${origin}/api/v1/account/freeze`, () => yes(frozen)));
});

describe("one's money", () => {
  it("is frozen with a confirmation, thawed with a day, and kept frozen", async () => {
    const deeds: string[] = [];
    network.use(
      http.post(`${origin}/api/v1/account/:deed`, ({ params }) => {
        deeds.push(String(params.deed));
        const thawing = params.deed === "thaw";
        frozen = { frozen: true, held: 500, ...(thawing ? { thawAt: "2026-11-21T10:00:00Z" } : {}) };
        return yes(frozen, "Done.");
      }),
    );
    show(<Freeze wanted />, "/dashboard/security#freeze");
    await screen.findByText("Not frozen");
    await click("Freeze my money now");
    const dialog = await screen.findByRole("dialog", { name: "Freeze your money?" });
    expect(deeds).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Freeze it" }));
    await screen.findByText("Frozen");
    await click("Thaw my money");
    await screen.findByText("Your money can be used again from 21 Nov 2026, 11:00 (Lagos time).");
    await click("Keep it frozen");
    await screen.findByRole("button", { name: "Thaw my money" });
    expect(deeds).toEqual(["freeze", "thaw", "freeze"]);
  });

  it("that is frozen is said so where it would leave", async () => {
    const { unmount } = show(<FrozenNote />);
    await waitFor(() => expect(useStore.getState().reads.freeze?.pages).toHaveLength(1));
    expect(screen.queryByText("Your money is frozen")).toBeNull();
    unmount();
    frozen = { frozen: true, held: 500 };
    show(<FrozenNote />);
    await screen.findByText("Your money is frozen");
    expect(screen.getByRole("link", { name: "See or thaw it" }).getAttribute("href")).toBe(
      "/dashboard/security#freeze",
    );
  });
});
