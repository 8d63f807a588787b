import { act, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { withdraw } from "@/api/withdrawals";
import { Shell } from "@/app/shell/Shell";
import { UnansweredCard } from "@/features/money/unanswered";
import { unansweredTexts as t } from "@/features/money/unanswered/texts";
import { sendCommand } from "@/store/command";
import { restore } from "@/store/restore";
import { useStore } from "@/store/store";
import { useActs } from "@/store/useCommand";
import { bolaComes } from "../kit/bola";
import { ada, click, freshPage, no, origin, show, signIn, yes } from "../kit/help";
import { keepsOpen, keysKept } from "../kit/kept";
import { network } from "../kit/network";

const order = { amount: 50_000, net: 49_946.25 };
const WITHDRAWAL = "A withdrawal";

let outcome: () => Response;
let asked: string[];

beforeEach(() => {
  signIn();
  asked = [];
  outcome = () => yes({ state: "UNKNOWN" });
  network.use(
    http.post(`${origin}/api/v1/wallet/withdrawals`, () => no(503, "We are very busy just now.", "UNAVAILABLE")),
    http.get(`${origin}/api/v1/commands/:key`, ({ params }) => {
      asked.push(String(params.key));
      return outcome();
    }),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
    http.get(`${origin}/api/*`, () => yes([])),
  );
});

/** Ada asks for it and no clear answer comes: from a page that is still open. */
const loses = () =>
  act(async () => {
    keepsOpen("withdraw", "key-1");
    await sendCommand({ name: "withdraw", payload: order }, (key) => withdraw(key, order)).catch(() => {});
  });

async function reload() {
  const whole = { ...localStorage };
  freshPage();
  localStorage.clear();
  for (const [name, value] of Object.entries(whole)) localStorage.setItem(name, value);
  await restore();
}

const button = (count: number) => screen.findByRole("button", { name: t.button(count) });

describe("what has no known outcome", () => {
  it("is in the header of every screen and on Home, with what it means for the money", async () => {
    await loses();
    show(<Shell />);
    await userEvent.click(await button(1));
    const dialog = within(await screen.findByRole("dialog", { name: t.title }));
    dialog.getByText(WITHDRAWAL);
    dialog.getByText(/Whatever money it moves, it moves once/);
    expect(screen.queryByText(/have not been charged/)).toBeNull();
    show(<UnansweredCard />);
    expect(await screen.findAllByText(WITHDRAWAL)).toHaveLength(2);
  });

  it("is still there after a reload, and nowhere for the next person on the phone", async () => {
    await loses();
    await reload();
    show(<UnansweredCard />);
    await screen.findByText(WITHDRAWAL);
    act(() => bolaComes());
    expect(screen.queryByText(WITHDRAWAL)).toBeNull();
    act(() => useStore.getState().leave("logout"));
    act(() => signIn());
    await screen.findByText(WITHDRAWAL);
  });

  it("is asked about at a tap: no answer ends nothing, and the server's word ends it", async () => {
    await loses();
    show(<UnansweredCard />);
    await click(t.askAbout(WITHDRAWAL));
    await screen.findByText(t.notYet);
    expect(new Set(asked)).toEqual(new Set(["key-1"]));
    outcome = () => HttpResponse.error();
    await click(t.askAbout(WITHDRAWAL));
    await screen.findByText(t.notYet);
    expect(keysKept(ada.id)).toEqual(["key-1"]);
    outcome = () => yes({ state: "DONE", position: 9, taken: 50_000 });
    await click(t.askAbout(WITHDRAWAL));
    await screen.findByText("₦50,000.00 left your wallet. There is no need to do it again.");
    await waitFor(() => expect(screen.queryByText(WITHDRAWAL)).toBeNull());
  });

  it("is there for a button among several that had no answer", async () => {
    const { result } = renderHook(() => useActs([], true));
    await act(() => result.current.act("request:r1", (key) => withdraw(key, order), { deed: "APPROVE" }));
    show(<UnansweredCard />);
    await screen.findByText("Your word on a request for a group's money");
  });

  it("says nothing of money where something was only to be set, or is not known by its name", async () => {
    keepsOpen("undocument", "key-1");
    show(<UnansweredCard />);
    await screen.findByText("Something that you asked for");
    screen.getByText(/It is done only once/);
  });

  it("is looked at by the person where a payment was started: only they know whether they paid", async () => {
    keepsOpen("rail", "key-1");
    outcome = () => yes({ state: "DONE", position: 9, taken: 0 });
    show(<UnansweredCard />);
    await screen.findByText(/^It was started/);
    await click(t.seen);
    await waitFor(() => expect(screen.queryByText(/^It was started/)).toBeNull());
    expect(keysKept(ada.id)).toEqual(["key-1"]);
  });
});
