import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Dispute, DisputeStep, Freeze as Frozen, MoneyFind } from "@/api/types";
import { DisputePage } from "@/features/disputes/screens/DisputePage";
import { Disputes } from "@/features/disputes/screens/Disputes";
import { NewDispute } from "@/features/disputes/screens/NewDispute";
import { Freeze } from "@/features/security/parts/Freeze";
import { Frozen as FrozenNote } from "@/features/withdrawals/parts/Frozen";
import { useStore } from "@/store/store";
import { faultOf, no, origin, show, signIn, yes } from "./help";
import { network } from "./network";

const WORDS = "I paid at noon by transfer and it is not there.";

const step = (kind: DisputeStep["kind"], position: number, more: Partial<DisputeStep> = {}): DisputeStep => ({
  kind,
  position,
  by: "MEMBER",
  at: "2026-11-20T10:00:00Z",
  ...more,
});

const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  id: "d1",
  number: "ADA-7K2P-9QX",
  kind: "NOT_CREDITED",
  status: "OPEN",
  title: "I paid and it is not there",
  amount: 5000,
  openedAt: "2026-11-20T10:00:00Z",
  acknowledgeBy: "2026-11-21T10:00:00Z",
  decideBy: "2026-11-23T10:00:00Z",
  late: false,
  steps: [step("OPENED", 1, { words: WORDS })],
  mayAdd: true,
  mayAnswer: false,
  mayWithdraw: true,
  mayReopen: false,
  ...more,
});

const loose: MoneyFind = {
  what: "UNMATCHED",
  arrivalId: "x1",
  amount: 5000,
  at: "2026-11-20T09:00:00Z",
  words: "₦5,000.00 of 20 November, 10:00, by bank transfer, waits here and nobody has said whose it is. Is it yours?",
};
const arrived: MoneyFind = {
  what: "ARRIVED",
  link: "/dashboard/activity/m9",
  amount: 5000,
  at: "2026-11-20T09:00:00Z",
  words: "₦5,000.00 arrived in your wallet on 20 November, 10:00.",
};

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const choose = async (name: RegExp) => userEvent.click(await screen.findByRole("radio", { name }));

let frozen: Frozen;
beforeEach(() => {
  frozen = { frozen: false };
  signIn();
  network.use(http.get(`${origin}/api/v1/account/freeze`, () => yes(frozen)));
});

/** The two calls of a new dispute; what was sent. */
function serves(found: MoneyFind[], answer: () => ReturnType<typeof yes> = () => yes(dispute(), "We look into it.")) {
  const sent: { searched: unknown[]; opened: unknown[]; keys: (string | null)[] } = {
    searched: [],
    opened: [],
    keys: [],
  };
  network.use(
    http.post(`${origin}/api/v1/disputes/search`, async ({ request }) => {
      sent.searched.push(await request.json());
      return yes({ found });
    }),
    http.post(`${origin}/api/v1/disputes`, async ({ request }) => {
      sent.opened.push(await request.json());
      sent.keys.push(request.headers.get("Idempotency-Key"));
      return answer();
    }),
  );
  return sent;
}

const app = (
  <Routes>
    <Route path="/disputes" element={<Disputes />} />
    <Route path="/disputes/new" element={<NewDispute />} />
    <Route path="/disputes/:id" element={<DisputePage />} />
  </Routes>
);

async function search(amount: string) {
  await userEvent.type(await screen.findByLabelText("How much was it?"), amount);
  await click("Look for it");
}

describe("money that is not there", () => {
  it("is looked for before anything is opened, and money of nobody goes with the dispute", async () => {
    const sent = serves([arrived, loose]);
    show(app, "/disputes/new");
    await click("Continue");
    await screen.findByText("Choose what is wrong.");
    await choose(/I paid and it is not there/);
    await click("Continue");
    await search("5,000");
    await screen.findByText("We found these 2");
    expect(screen.getByRole("link", { name: /^See it: ₦5,000\.00 arrived/ }).getAttribute("href")).toBe(arrived.link);
    expect(sent.opened).toEqual([]);
    await click(/^Yes, this is mine: /);
    await userEvent.type(await screen.findByLabelText("What happened?"), "short");
    await click("Send");
    expect(faultOf(screen.getByLabelText("What happened?"))).toBe("Say what happened in at least ten letters.");
    await userEvent.clear(screen.getByLabelText("What happened?"));
    await userEvent.type(screen.getByLabelText("What happened?"), WORDS);
    expect(screen.getByText(new RegExp(`${WORDS.length} of 2,000 characters`))).toBeTruthy();
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(screen.getByText("Somebody takes it by 21 Nov 2026, 11:00.")).toBeTruthy();
    expect(screen.getByText("We decide it by 23 Nov 2026, 11:00 at the latest.")).toBeTruthy();
    const { day } = sent.searched[0] as { day: string };
    expect(sent.searched).toEqual([{ amount: 5000, day }]);
    expect(sent.opened).toEqual([{ kind: "NOT_CREDITED", words: WORDS, amount: 5000, paidOn: day, arrivalId: "x1" }]);
    expect(sent.keys[0]).toBeTruthy();
  });

  it("that is none of what was found goes on without it", async () => {
    const sent = serves([loose]);
    show(app, "/disputes/new");
    await choose(/I paid and it is not there/);
    await click("Continue");
    await search("5000");
    await click("None of these");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(sent.opened[0]).not.toHaveProperty("arrivalId");
  });

  it("keeps what was typed when it is refused, and when nothing answers", async () => {
    let answers: (() => ReturnType<typeof yes>)[] = [
      () => no(409, "You told us of this already: ADA-1.", "CONFLICT"),
      ...Array.from({ length: 4 }, () => () => HttpResponse.error() as ReturnType<typeof yes>),
    ];
    const sent = serves([], () => {
      const [next, ...rest] = answers;
      answers = rest;
      return next ? next() : yes(dispute());
    });
    show(app, "/disputes/new");
    await choose(/I paid and it is not there/);
    await click("Continue");
    await search("5000");
    await click("Tell us about it");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("You told us of this already: ADA-1.");
    expect(screen.getByLabelText("What happened?")).toHaveProperty("value", WORDS);
    await click("Back");
    expect(await screen.findByLabelText("How much was it?")).toHaveProperty("value", "5,000.00");
    await click("Look for it");
    await click("Tell us about it");
    expect(await screen.findByLabelText("What happened?")).toHaveProperty("value", WORDS);
    await click("Send");
    await screen.findByText("Unable to connect, please try again", {}, { timeout: 12_000 });
    expect(screen.getByText("What you typed is still here.")).toBeTruthy();
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    // One dispute, however often it was sent.
    expect(new Set(sent.keys.slice(1)).size).toBe(1);
  });

  it("says that it cannot be looked for without a connection", async () => {
    network.use(http.post(`${origin}/api/v1/disputes/search`, () => HttpResponse.error()));
    show(app, "/disputes/new");
    await choose(/I paid and it is not there/);
    await click("Continue");
    await search("5000");
    await screen.findByText("Unable to connect, please try again");
    expect(screen.getByLabelText("How much was it?")).toHaveProperty("value", "5,000.00");
  });
});

describe("what a dispute is about", () => {
  it("comes by the address, and a movement needs no search", async () => {
    const sent = serves([]);
    network.use(
      http.get(`${origin}/api/v1/activity/m1`, () =>
        yes({
          movement: {
            id: "m1",
            title: "Monthly dues",
            amount: 2000,
            date: "2026-11-19T10:00:00Z",
            direction: "OUT",
            kind: "CONTRIBUTION",
          },
          story: [],
          entries: [],
        }),
      ),
    );
    show(app, "/disputes/new?movement=m1");
    await screen.findByText("Monthly dues, 19 Nov 2026");
    await choose(/It was taken twice/);
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(sent.searched).toEqual([]);
    expect(sent.opened).toEqual([{ kind: "TWICE", words: WORDS, movementId: "m1" }]);
  });

  it("may be a turn of an ajo, or a due of a group", async () => {
    const sent = serves([]);
    network.use(
      http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => no(404, "There is no such ajo.", "NOT_FOUND")),
      http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () =>
        no(404, "There is no such group.", "NOT_FOUND"),
      ),
    );
    const ofAjo = show(app, "/disputes/new?ajo=a1&cycle=3");
    await choose(/A turn is wrong/);
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    ofAjo.unmount();
    show(app, "/disputes/new?group=g1&sub=s1&period=2026-11-01");
    await choose(/I was fined/);
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(sent.opened).toEqual([
      { kind: "TURN", words: WORDS, ajoId: "a1", cycle: 3 },
      { kind: "FINED_IN_TIME", words: WORDS, groupId: "g1", subAccountId: "s1", period: "2026-11-01" },
    ]);
  });

  it("may be a payout that waits, of which what is disputed is held", async () => {
    const held = { amount: 1500.5, status: "HELD", until: "2026-11-27T10:00:00Z" } as const;
    const sent = serves([], () => yes(dispute({ hold: held }), "We look into it."));
    const request = { groupName: "Balogun Traders", reason: "A tent", holdable: 40_000 };
    network.use(http.get(`${origin}/api/v1/savings/liquidations/l1`, () => yes(request)));
    show(app, "/disputes/new?request=l1");
    await screen.findByText("A payment that Balogun Traders is asked for: A tent");
    await choose(/The amount is wrong/);
    await click("Continue");
    expect(await screen.findByRole("checkbox", { name: "Hold what I dispute of it" })).toHaveProperty("checked", true);
    const amount = screen.getByLabelText("How much?");
    expect(amount).toHaveProperty("value", "40,000.00");
    await userEvent.type(screen.getByLabelText("What happened?"), WORDS);
    await userEvent.clear(amount);
    await userEvent.type(amount, "40,000.01");
    await click("Send");
    expect(faultOf(amount)).toBe("Enter an amount up to ₦40,000.00.");
    await userEvent.clear(amount);
    await userEvent.type(amount, "1,500.50");
    await click("Send");
    await screen.findByText("Held: ₦1,500.50, until 27 Nov 2026, 11:00 at most.");
    expect(sent.opened).toEqual([{ kind: "WRONG_AMOUNT", words: WORDS, requestId: "l1", amount: 1500.5, hold: true }]);
  });

  it("holds nothing of a payout where one does not want it, or has saved nothing", async () => {
    const sent = serves([]);
    const request = { groupName: "Balogun Traders", reason: "A tent", holdable: 40_000 as number | undefined };
    network.use(http.get(`${origin}/api/v1/savings/liquidations/l1`, () => yes(request)));
    const wanted = show(app, "/disputes/new?request=l1");
    await choose(/The amount is wrong/);
    await click("Continue");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Hold what I dispute of it" }));
    await userEvent.type(screen.getByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    wanted.unmount();
    request.holdable = undefined;
    show(app, "/disputes/new?request=l1");
    await choose(/The amount is wrong/);
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    expect(screen.queryByRole("checkbox", { name: "Hold what I dispute of it" })).toBeNull();
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(sent.opened).toEqual(Array(2).fill({ kind: "WRONG_AMOUNT", words: WORDS, requestId: "l1" }));
  });

  it("that it was not me freezes the money, unless one does not want it", async () => {
    const sent = serves([]);
    show(app, "/disputes/new");
    await choose(/It was not me/);
    await click("Continue");
    expect(await screen.findByRole("checkbox", { name: "Freeze my money now" })).toHaveProperty("checked", true);
    await userEvent.type(await screen.findByLabelText("What happened?"), WORDS);
    await click("Send");
    await screen.findByText("Your money is frozen: nothing leaves your wallet until you thaw it.");
    expect(sent.opened).toEqual([{ kind: "NOT_ME", words: WORDS, freeze: true }]);
  });

  it("takes up to five files, and says what is wrong with one", async () => {
    const sent = serves([]);
    let count = 0;
    network.use(
      http.post(`${origin}/api/file/profile`, () => {
        count += 1;
        return yes({
          id: `f${count}`,
          url: `/api/v1/files/f${count}`,
          kind: "document",
          contentType: "image/png",
          bytes: 3,
        });
      }),
    );
    const { container } = show(app, "/disputes/new");
    await choose(/It was not me/);
    await click("Continue");
    await screen.findByLabelText("What happened?");
    const picker = () => container.querySelector<HTMLInputElement>("[data-picker]");
    const input = picker();
    if (!input) throw new Error("no picker");
    const user = userEvent.setup({ applyAccept: false });
    await user.upload(input, new File(["abc"], "slip.txt", { type: "text/plain" }));
    await screen.findByText("This is not a PDF, JPEG or PNG. Send it as one of those.");
    for (let at = 1; at <= 5; at++) {
      const now = picker();
      if (now) await user.upload(now, new File(["abc"], `slip-${at}.png`, { type: "image/png" }));
      await screen.findByText(`slip-${at}.png`);
    }
    await waitFor(() => expect(picker()).toBeNull());
    await click("Remove slip-2.png");
    await userEvent.type(screen.getByLabelText("What happened?"), WORDS);
    await userEvent.click(screen.getByRole("checkbox", { name: "Freeze my money now" }));
    await click("Send");
    await screen.findByText("ADA-7K2P-9QX");
    expect(sent.opened).toEqual([{ kind: "NOT_ME", words: WORDS, files: ["f1", "f3", "f4", "f5"] }]);
  });
});

describe("one's disputes", () => {
  it("are listed with number, state and date; with none it is said what one is", async () => {
    let rows: Dispute[] = [];
    network.use(http.get(`${origin}/api/v1/disputes`, () => yes({ disputes: rows })));
    const { unmount } = show(app, "/disputes");
    await screen.findByText(/A dispute is how you tell us/);
    expect(screen.getByRole("link", { name: "Report a problem" }).getAttribute("href")).toBe("/disputes/new");
    unmount();
    rows = [dispute({ late: true })];
    show(app, "/disputes");
    const row = await screen.findByRole("link", { name: /I paid and it is not there/ });
    expect(row.textContent).toContain("ADA-7K2P-9QX · We decide by 23 Nov 2026, 11:00");
    expect(row.textContent).toContain("We are late");
  });

  const open = (state: Partial<Dispute>) => {
    const now = { value: dispute(state), sent: [] as [string, unknown][] };
    network.use(
      http.get(`${origin}/api/v1/disputes/d1`, () => yes(now.value)),
      http.post(`${origin}/api/v1/disputes/d1/:deed`, async ({ params, request }) => {
        const body = await request.text();
        now.sent.push([String(params.deed), body ? JSON.parse(body) : undefined]);
        return yes(now.value, "Recorded.");
      }),
    );
    return now;
  };

  it("offer what may be done, and nothing else", async () => {
    open({ mayAdd: false, mayWithdraw: false });
    show(app, "/disputes/d1");
    await screen.findByText(WORDS);
    for (const name of ["Your answer", "In your words", "What did we miss?"])
      expect(screen.queryByLabelText(name)).toBeNull();
    expect(screen.queryByRole("button", { name: "Take it back" })).toBeNull();
    expect(screen.queryByText(/Central Bank/)).toBeNull();
  });

  it("give their evidence as a page to keep", async () => {
    open({});
    network.use(http.get(`${origin}/api/v1/disputes/d1/bundle`, () => HttpResponse.html("<!doctype html>")));
    const kept: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => kept.push(blob) && "blob:x", revokeObjectURL: () => {} });
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      expect(this.download).toBe("adashi-evidence-ada-7k2p-9qx.html");
    });
    show(app, "/disputes/d1");
    await click("Download the evidence");
    await waitFor(() => expect(kept).toHaveLength(1));
    await waitFor(() => expect(clicked).toHaveBeenCalled());
    clicked.mockRestore();
  });

  it("take an answer while something is asked, and say that the clock stands still", async () => {
    const asked = step("ASKED", 3, { by: "SUPPORT", words: "From which bank?", until: "2026-11-27T10:00:00Z" });
    const now = open({
      status: "INFO_REQUESTED",
      answerBy: "2026-11-27T10:00:00Z",
      mayAnswer: true,
      steps: [...dispute().steps, asked],
    });
    show(app, "/disputes/d1");
    await screen.findByText(/The clock stands still until 27 Nov 2026, 11:00/);
    await click("Send the answer");
    expect(faultOf(screen.getByLabelText("Your answer"))).toBe("Say it in at least three letters.");
    await userEvent.type(screen.getByLabelText("Your answer"), "From Kuda.");
    now.value = dispute({ status: "INVESTIGATING" });
    await click("Send the answer");
    await waitFor(() => expect(screen.queryByLabelText("Your answer")).toBeNull());
    expect(now.sent).toEqual([["answer", { words: "From Kuda." }]]);
  });

  it("are taken back once one means it", async () => {
    const now = open({});
    show(app, "/disputes/d1");
    await click("Take it back");
    const dialog = await screen.findByRole("dialog", { name: "Take this dispute back?" });
    now.value = dispute({ status: "WITHDRAWN", mayAdd: false, mayWithdraw: false, resolvedAt: "2026-11-20T11:00:00Z" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Take it back" }));
    await screen.findByText("You took it back");
    expect(now.sent).toEqual([["withdraw", undefined]]);
  });

  it("show the outcome on top, may be looked at again, and name where to complain once rejected", async () => {
    const outcome = step("RESOLVED_REJECTED", 5, { by: "SUPPORT", words: "It was somebody else's." });
    const now = open({
      status: "RESOLVED_REJECTED",
      resolvedAt: "2026-11-22T10:00:00Z",
      reopenUntil: "2026-12-06T10:00:00Z",
      mayAdd: false,
      mayWithdraw: false,
      mayReopen: true,
      steps: [...dispute().steps, outcome],
    });
    show(app, "/disputes/d1");
    await screen.findByText("We found no mistake");
    expect(screen.getByText("cpd@cbn.gov.ng")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("What did we miss?"), "My slip.");
    now.value = dispute({ status: "REOPENED" });
    await click("Have it looked at again");
    await waitFor(() => expect(screen.queryByText("We found no mistake")).toBeNull());
    expect(now.sent).toEqual([["reopen", { words: "My slip." }]]);
  });

  it("follow by themselves", async () => {
    const now = open({});
    show(app, "/disputes/d1");
    await screen.findByText("Waits to be taken");
    now.value = dispute({ status: "INVESTIGATING" });
    useStore.getState().refreshTopics(["disputes"]);
    await screen.findByText("Being looked into");
  });
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
