import type { Browser, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newcomer } from "./pages/account";
import { Caller } from "./pages/caller";
import { known } from "./pages/known";
import { stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { fundByTransfer, quoteWithdrawal } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const ASKED_ABOUT = "**/api/v1/commands/*";
const ONE_OPEN = "1 thing has no clear answer yet";
const FALSE_WORDS = /You have not been charged|Nothing (was taken|has left)|never reached us|You have paid/;

let product: Product;
let browser: Browser;
let ada: Person;
let caller: Caller;
const cards: string[] = [];

const snapshot = snapshots("cutoff");

const abort = (route: Route) => route.abort();

/** The server acts, and its answer never comes back. */
async function lose(route: Route) {
  await route.fetch();
  await route.abort();
}

const balance = async (): Promise<number> =>
  (await caller.do("GET", `/api/Wallet/get-user-balance?email=${caller.login.email}`)).balance;

/** Ada, with money, a bank account, and two savings cards. */
async function settlesIn() {
  ada = await newcomer(browser, product.url, { name: "Adaora Obi", where: "cutoff", digit: 6, viewport: PHONE });
  const { email, password, firstName: first, lastName: last } = ada.who;
  caller = await Caller.logIn(product.url, { email, password });
  const digits = (count: number) => `6${String(Date.now() * 37).slice(1 - count)}`;
  await known(caller, { first, last, account: digits(10), bvn: digits(11) });
  await ada.page.goto("/dashboard/wallet/");
  await fundByTransfer(ada, "40,000");
  for (const name of ["Rent", "Fees"]) {
    const { id } = await caller.do("POST", "/api/v1/ajo/cards", { name, amount: 500, frequency: "DAILY" });
    await caller.do("POST", `/api/v1/ajo/cards/${id}/fill`, { boxes: 4, userId: caller.id });
    cards.push(id);
  }
}

interface Flow {
  what: string;
  call: string;
  /** All steps up to the tap that sends it. */
  does: (time: number) => Promise<void>;
  /** What the wallet holds more after it, in naira. */
  moves: number;
}

const flows: Flow[] = [
  {
    what: "A withdrawal",
    call: "**/api/v1/wallet/withdrawals",
    moves: -2000,
    async does() {
      await quoteWithdrawal(ada, "2000");
      await ada.button(/^Send ₦/).click();
    },
  },
  {
    what: "Breaking a savings card",
    call: "**/api/v1/ajo/cards/*/break",
    moves: 1950,
    async does(time) {
      await ada.page.goto(`/ajo/cards/${cards[time]}`);
      await ada.button("Break the card").click();
      await ada.button(/^Break it and get/).click();
    },
  },
];

describe("a network that is cut while money moves", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
    await settlesIn();
    // What leaves for a bank asks who one is: the answer holds for the rest.
    await quoteWithdrawal(ada, "1000");
    await ada.button(/^Send ₦/).click();
    await stepUp(ada);
    await ada.at(/withdrawals?\//);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  afterEach(() => ada.page.unrouteAll());

  for (const [time, [when, cut]] of [
    ["before it arrives", abort] as const,
    ["before the answer comes back", lose] as const,
  ].entries()) {
    it.each(flows)(
      `$what: cut ${when}, it is done once, and nothing false is said`,
      async ({ what, call, does, moves }) => {
        const { page } = ada;
        const had = await balance();
        const taken = cut === lose;
        await page.route(call, cut);
        await page.route(ASKED_ABOUT, abort);
        await does(time);
        await ada.sees("We don't know yet whether this went through");
        expect(await page.getByText(FALSE_WORDS).count()).toBe(0);
        await page.reload();
        await ada.button(ONE_OPEN).click();
        const dialog = page.getByRole("dialog", { name: "No clear answer yet" });
        await dialog.getByText(what).waitFor();
        await snapshot(page, `${time + 1}-${call.split("/").at(-1)}`);
        await dialog.getByRole("button", { name: `Ask again: ${what}` }).click();
        await dialog.getByText("There is no answer yet").waitFor();
        await page.unroute(call);
        await page.unroute(ASKED_ABOUT);
        if (taken) {
          // The app asks by itself once the network is back.
          await page.evaluate(() => void dispatchEvent(new Event("online")));
          await ada.sees("An earlier try of yours went through");
        } else await does(time); // The same once more: it is the same command, and arrives this time.
        await expect.poll(balance).toBe(had + moves);
        await page.goto("/dashboard/wallet/");
        await page.locator("[data-balance]").waitFor();
        expect(await ada.button(ONE_OPEN).count()).toBe(0);
      },
    );
  }

  it("nobody's browser complained", () => {
    expect(ada.problems).toEqual([]);
  });
});
