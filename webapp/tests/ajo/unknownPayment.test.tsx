import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { AjoCardPage } from "@/features/ajo/card/screens/AjoCardPage";
import { AjoRound } from "@/features/ajo/card/screens/AjoRound";
import { PayNow } from "@/features/ajo/pay";
import { moneyTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { card } from "../kit/ajo";
import { click, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const figures = { balance: 90_000, savingsBalance: 0, groupAjoBalance: 0, totalBalance: 90_000, held: 0 };
const unknown = () => screen.findAllByText(moneyTexts.unknownTitle, {}, { timeout: 9000 });

beforeEach(() => {
  signIn();
  network.use(http.get(`${origin}/api/Wallet/get-user-balance`, () => yes(figures)));
});

describe("a payment of the ajo without an answer", () => {
  it("is said to be unknown, not to have had no connection", async () => {
    let taken = 0;
    network.use(
      http.post(`${origin}/api/v1/ajo/a1/pay`, () => {
        taken += 21_000;
        return HttpResponse.error();
      }),
    );
    show(<PayNow ajoId="a1" pay={{ what: "DEBT", amount: 21_000, debtId: "d1" }} what="You owe seat 2 ₦21,000.00" />);
    await click(/Pay/);
    await userEvent.click((await screen.findAllByRole("button", { name: /₦21,000/ })).at(-1) as HTMLElement);
    await waitFor(() => expect(taken).toBeGreaterThan(0));
    await unknown();
    expect(screen.queryByText(/Unable to connect/)).toBeNull();
  });
});

/** How many boxes are filled moves under the reader, by what the lost try itself did: it names no deed. */
describe("filling a card again after no answer came", () => {
  /** A card and a server: the first try is taken, and no answer to it, nor to its quiet repetitions, comes back. */
  function serve() {
    let filled = 12;
    const done = new Map<string, string>();
    let reachable = false;
    const take = (boxes: number, key: string, body: string) => {
      const known = done.get(key);
      if (known !== undefined && known !== body)
        return no(409, "This was already asked for with other details.", "CONFLICT");
      if (known === undefined) {
        done.set(key, body);
        filled += boxes;
      }
      return reachable ? yes({ ...card(), filled }, "Filled") : HttpResponse.error();
    };
    const key = (request: Request) => request.headers.get("Idempotency-Key") ?? "";
    const now = () => card({ filled, holds: filled * 500, isMine: false, saver: "Bisi Ade" });
    network.use(
      http.get(`${origin}/api/v1/ajo/cards/round`, () => yes([now()])),
      http.get(`${origin}/api/v1/ajo/cards/c1`, () => yes({ ...now(), isMine: true, saver: "Ada Obi" })),
      http.post(`${origin}/api/v1/ajo/cards/fill-many`, async ({ request }) => {
        const body = (await request.json()) as { cards: { boxes: number }[] };
        return take(body.cards[0]?.boxes ?? 0, key(request), JSON.stringify(body));
      }),
      http.post(`${origin}/api/v1/ajo/cards/c1/fill`, async ({ request }) => {
        const body = (await request.json()) as { boxes: number };
        return take(body.boxes, key(request), JSON.stringify(body));
      }),
    );
    return {
      filled: () => filled,
      comesBack: () => {
        reachable = true;
      },
    };
  }

  /** What the live stream does once it is there again: the card has moved. */
  const told = () =>
    act(async () => {
      useStore.getState().refreshTopics(["ajo", "wallet"]);
      await delay(100);
    });

  it("the collector's round is paid once, though the card shows what the lost try filled", async () => {
    const server = serve();
    show(<AjoRound />, "/ajo/cards/round");
    await userEvent.click(await screen.findByLabelText(/Bisi Ade/));
    await click(/^Pay ₦500/);
    const yesButton = async () => (await screen.findAllByRole("button", { name: /^Pay ₦500/ })).at(-1) as HTMLElement;
    await userEvent.click(await yesButton());
    await unknown();
    expect(server.filled()).toBe(13);
    server.comesBack();
    await told();
    // The question is still on screen: yes asks about the very same.
    await userEvent.click(await yesButton());
    await screen.findByText("Filled");
    expect(server.filled()).toBe(13);
  });

  it("one's own card is filled once, though it shows what the lost try filled", async () => {
    const server = serve();
    show(
      <Routes>
        <Route path="/ajo/cards/:id" element={<AjoCardPage />} />
      </Routes>,
      "/ajo/cards/c1",
    );
    const fill = () => screen.findByRole("button", { name: /₦500/ });
    await userEvent.click(await fill());
    await unknown();
    expect(server.filled()).toBe(13);
    server.comesBack();
    await told();
    expect(await fill()).toHaveProperty("disabled", true);
    await click("Check again");
    await waitFor(async () => expect(await fill()).toHaveProperty("disabled", false));
    expect(server.filled()).toBe(13);
    // The next box is another deed.
    await userEvent.click(await fill());
    await waitFor(() => expect(server.filled()).toBe(14));
  });
});
