import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { MoneyFind } from "@/api/schema.gen";
import { click, faultOf, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, dispute, WORDS } from "./disputes";

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

const choose = async (name: RegExp) => userEvent.click(await screen.findByRole("radio", { name }));

beforeEach(signIn);

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
