import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Freeze as Frozen } from "@/api/schema.gen";
import { Frozen as FrozenNote } from "@/features/money/withdrawals/parts/Frozen";
import { Freeze } from "@/features/people/security/parts/Freeze";
import { useStore } from "@/store/store";
import { click, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

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

  it("is kept frozen against a thaw that came later, though an earlier freeze had no answer", async () => {
    const seen = new Set<string>();
    let reachable = false;
    network.use(
      // As the ledger: what comes under one key is done once.
      http.post(`${origin}/api/v1/account/freeze`, ({ request }) => {
        const key = request.headers.get("Idempotency-Key") ?? "";
        if (!seen.has(key)) frozen = { frozen: true, held: 500 };
        seen.add(key);
        return reachable ? yes(frozen, "Done.") : HttpResponse.error();
      }),
    );
    const told = () => act(() => useStore.getState().refreshTopics(["disputes", "wallet"]));
    show(<Freeze wanted />, "/dashboard/security#freeze");
    await click("Freeze my money now");
    const dialog = await screen.findByRole("dialog", { name: "Freeze your money?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Freeze it" }));
    await screen.findByText(/Unable to connect/, {}, { timeout: 9000 });
    reachable = true;
    await told();
    await screen.findByText("Frozen");
    // Somebody with her password asks for a thaw. She sees it.
    frozen = { ...frozen, thawAt: "2026-11-29T10:00:00Z" };
    await told();
    await click("Keep it frozen");
    await screen.findByRole("button", { name: "Thaw my money" });
    expect(frozen.thawAt).toBeUndefined();
  }, 15_000);

  it("is frozen another time, though the answer to an earlier freeze was lost", async () => {
    const keys = new Set<string>();
    let reachable = false;
    network.use(
      http.post(`${origin}/api/v1/account/freeze`, ({ request }) => {
        const key = request.headers.get("Idempotency-Key") ?? "";
        if (!keys.has(key)) frozen = { frozen: true, held: 500 };
        keys.add(key);
        return reachable ? yes(frozen, "Done.") : HttpResponse.error();
      }),
      http.post(`${origin}/api/v1/account/thaw`, () => {
        frozen = { frozen: true, held: 500, thawAt: "2026-11-21T10:00:00Z" };
        return yes(frozen, "Done.");
      }),
    );
    const freeze = async () => {
      await click("Freeze my money now");
      const dialog = await screen.findByRole("dialog", { name: "Freeze your money?" });
      await userEvent.click(within(dialog).getByRole("button", { name: "Freeze it" }));
    };
    const told = () => act(() => useStore.getState().refreshTopics(["disputes", "wallet"]));
    show(<Freeze wanted />, "/dashboard/security#freeze");
    await freeze();
    await screen.findByText(/Unable to connect/, {}, { timeout: 9000 });
    reachable = true;
    await told();
    await click("Thaw my money");
    await screen.findByText(/can be used again from 21 Nov/);
    frozen = { frozen: false }; // The day is over.
    await told();
    await screen.findByText("Not frozen");
    await freeze();
    await screen.findByText("Frozen");
    expect(keys.size).toBe(2);
  }, 15_000);

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
