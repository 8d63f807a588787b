import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Leaving } from "@/api/schema.gen";
import { GroupSettings } from "@/features/groups/settings/screens/GroupSettings";
import { useStore } from "@/store/store";
import { click, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { api, group, stands, takes } from "./groupLife";

describe("giving up what one saved", () => {
  beforeEach(signIn);

  /** A transfer arrives while the dialog is open: the words change beneath the tick. */
  it("takes a tick for ₦4,500.00 for no other amount, and names the amount that was ticked", async () => {
    stands(group({ role: "MEMBER" }));
    const left = takes("post", "/v1/savings/groups/g1/leave");
    let saved = 4500;
    const leaving = (): Leaving => ({
      mayLeave: false,
      mayForfeit: true,
      reasons: [],
      owed: 0,
      saved,
      held: 0,
      subAccounts: [],
    });
    network.use(http.get(api("/v1/savings/groups/g1/leaving"), () => yes(leaving())));
    show(
      <Routes>
        <Route path="/savings/:id/settings" element={<GroupSettings />} />
      </Routes>,
      "/savings/g1/settings",
    );
    await click("Leave and give up what you saved");
    await userEvent.click(await screen.findByRole("checkbox", { name: "I give up ₦4,500.00" }));
    saved = 54_500;
    await act(async () => {
      useStore.getState().refreshTopics(["group:g1"]);
      await delay(300);
    });
    const go = screen.getAllByRole("button", { name: "Leave and give up what you saved" }).at(-1) as HTMLButtonElement;
    const again = await screen.findByRole("checkbox", { name: "I give up ₦54,500.00" });
    expect([go.disabled, (again as HTMLInputElement).checked]).toEqual([true, false]);
    await userEvent.click(again);
    await userEvent.click(go);
    await waitFor(() => expect(left.map(({ body }) => body)).toEqual([{ forfeit: true, saved: 54_500 }]));
  });
});
