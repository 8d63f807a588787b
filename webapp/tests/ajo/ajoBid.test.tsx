import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { Choosing } from "@/features/ajo/room/parts/Choosing";
import { ajo } from "../kit/ajo";
import { click, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

describe("a bid that can never be opened", () => {
  beforeEach(signIn);

  const bidding = () => {
    const one = ajo({ order: "BIDDING" });
    const cycle = { ...one.currentAjoCyle, chosenBy: "2026-11-08" };
    return { ...one, currentAjoCyle: cycle } as typeof one;
  };

  for (const [typed, why] of [
    ["1550", "no multiple of the step"],
    ["9500", "more than 30 % of ₦30,000"],
  ] as const) {
    it(`${typed} (${why}) is refused before it is sealed`, async () => {
      const sealed: unknown[] = [];
      network.use(
        http.post(`${origin}/api/v1/ajo/a1/bids`, async ({ request }) => {
          sealed.push(await request.json());
          return yes({}, "Sealed.");
        }),
      );
      show(<Choosing ajo={bidding()} />);
      await userEvent.type(document.querySelector("input[name=discount]") as HTMLInputElement, typed);
      await click(/bid/i);
      await act(() => delay(200));
      expect(sealed).toEqual([]);
      expect(screen.queryByText("Sealed.")).toBeNull();
    });
  }
});
