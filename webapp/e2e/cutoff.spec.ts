import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ajoStatus, begunAjo } from "./pages/ajo";
import { Caller } from "./pages/caller";
import { opensRequest } from "./pages/groupMoney";
import { stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { quoteWithdrawal } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const ASKED_ABOUT = "**/api/v1/commands/*";
const ONE_OPEN = "1 thing has no clear answer yet";
/** src/api/retry.ts: between the tries of a write. */
const WRITE_WAITS_MS = [700, 1500, 3000];
const FALSE_WORDS = /You have not been charged|Nothing (was taken|has left)|never reached us|You have paid/;

let product: Product;
let browser: Browser;
let ada: Person;
let amaka: Caller;

/** The first due of an ajo in which the bidding is open. */
const FIRST_DUE = new Date(Date.now() + 4 * 86_400_000);

/** What each flow works on: one for each of the two cuts. */
const cards: string[] = [];
const dues: string[] = [];
const requests: string[] = [];
const ajos: string[] = [];
let group = "";

const snapshot = snapshots("cutoff");

const abort = (route: Route) => route.abort();

/** The server acts, and its answer never comes back. */
async function lose(route: Route) {
  await route.fetch();
  await route.abort();
}

/** The app tries again by itself, after pauses that grow: its clock is put forward over each. */
async function skipsPauses({ clock }: Page, tries: () => number) {
  for (const [before, pause] of WRITE_WAITS_MS.entries()) {
    const afterPause = async () => {
      await clock.fastForward(pause);
      return tries();
    };
    await expect.poll(afterPause).toBeGreaterThan(before + 1);
  }
}

const balance = async (): Promise<number> =>
  (await amaka.do("GET", `/api/Wallet/get-user-balance?email=${amaka.login.email}`)).balance;

/** How many approvals the requests have. */
async function approved() {
  const all = await Promise.all(requests.map((id) => amaka.do("GET", `/api/v1/savings/liquidations/${id}`)));
  return all.reduce((sum, { approvals }) => sum + approvals, 0);
}

/** In how many of the ajos Amaka's bid is sealed. */
async function sealed() {
  const all = await Promise.all(ajos.map((id) => amaka.do("GET", `/api/Ajo/GetAjoById/${id}`)));
  return all.filter(({ me }) => me.bidSealed).length;
}

/** Two savings cards with money. */
async function opensCards() {
  for (const name of ["Rent", "Fees"]) {
    const { id } = await amaka.do("POST", "/api/v1/ajo/cards", { name, amount: 500, frequency: "DAILY" });
    await amaka.do("POST", `/api/v1/ajo/cards/${id}/fill`, { boxes: 4, userId: amaka.id });
    cards.push(id);
  }
}

/** Two dues that Amaka owes in her group, and two requests there that wait for her approval. */
async function asksInGroup(validator: Caller, askers: Caller[]) {
  const groups = await amaka.do("GET", `/api/GroupSavings/GetUserGroupSavings/${amaka.id}`);
  group = groups.find(({ name }: { name: string }) => name === "Yaba Tech Cooperative").id;
  const { SubAccounts } = await amaka.do("GET", `/api/GroupSavings/GetGroupSubAccounts/${group}`);
  const payee = { bank: "058", account: "1234500009", first_name: "Mama", last_name: "Caterer", bvn: "22345678909" };
  await fetch(`${product.url}/sandbox/people`, {
    method: "POST",
    body: new URLSearchParams(payee),
    redirect: "manual",
  });
  const { id: subAccountId } = SubAccounts.find(({ name }: { name: string }) => name === "Monthly dues");
  for (const asker of askers) {
    const name = `What ${asker.name} cooks with`;
    const { id } = await amaka.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: group,
      name,
      paymentType: "FIXED",
      paymentFrequency: "MONTHLY",
      amountPayable: 1000,
      userId: amaka.id,
    });
    dues.push(id);
    const to = { kind: "GROUP_DISBURSEMENT", bankCode: payee.bank, accountNumber: payee.account };
    const ask = { subAccountId, amount: 600, ...to };
    const { net } = await asker.do("POST", "/api/v1/savings/liquidations/quote", ask);
    await asker.stepUp();
    const body = { ...ask, groupId: group, net, reason: name, userId: asker.id };
    const request = await asker.do("POST", "/api/GroupSavings/group-savings-liquidation-vfd", body);
    await validator.stepUp();
    await validator.do("POST", `/api/GroupSavings/validate-liquidation-request/${group}/${request.id}/approve`, {});
    requests.push(request.id);
  }
}

interface Flow {
  what: string;
  call: string;
  /** All steps up to the tap that sends it. */
  does: (time: number) => Promise<void>;
  /** What shows that it was done, and by how much. */
  reads: () => Promise<number>;
  moves: number;
}

const flows: Flow[] = [
  {
    what: "A withdrawal",
    call: "**/api/v1/wallet/withdrawals",
    reads: balance,
    moves: -2000,
    async does() {
      await quoteWithdrawal(ada, "2000");
      await ada.button(/^Send ₦/).click();
    },
  },
  {
    what: "Breaking a savings card",
    call: "**/api/v1/ajo/cards/*/break",
    reads: balance,
    moves: 1950,
    async does(time) {
      await ada.goes(`/ajo/cards/${cards[time]}`);
      await ada.button("Break the card").click();
      await ada.button(/^Break it and get/).click();
    },
  },
  {
    what: "A payment from your wallet to a group",
    call: "**/api/Wallet/make-payment-with-wallet",
    reads: balance,
    moves: -1000,
    async does(time) {
      await ada.goes(`/savings/sub-account/${dues[time]}`);
      await ada.link(/^Pay/).first().click();
      await ada.button("Pay ₦1,000.00").click();
    },
  },
  {
    what: "Your word on a request for a group's money",
    call: "**/api/GroupSavings/validate-liquidation-request/**",
    reads: approved,
    moves: 1,
    async does(time) {
      await opensRequest(ada, group, requests[time] ?? "");
      const sheet = ada.page.getByRole("dialog", { name: "Request" });
      await sheet.getByRole("button", { name: "Approve" }).click();
      await sheet
        .locator("[data-deed]")
        .getByRole("button", { name: /^Approve/ })
        .click();
    },
  },
  {
    what: "A bid for a turn",
    call: "**/api/v1/ajo/*/bids",
    reads: sealed,
    moves: 1,
    async does(time) {
      await ada.goes(`/ajo/${ajos[time]}`);
      await ajoStatus(ada, "ACTIVE");
      await ada.page.locator("input[name=discount]").fill("500");
      await ada.button(/^Seal/).click();
    },
  },
];

describe("a network that is cut while money moves", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: "-1h" });
    browser = await openBrowser();
    const password = product.login?.password ?? "";
    const of = (name: string) => Caller.logIn(product.url, { email: `${name}@demo.adashi.example`, password });
    amaka = await of("amaka");
    const [bisi, chidi, dayo] = [await of("bisi"), await of("chidi"), await of("dayo")];
    for (const name of ["Balogun", "Alaba"]) ajos.push(await begunAjo(name, FIRST_DUE, bisi, [chidi, amaka]));
    await product.moveTo("0s"); // Half an hour after the list is closed, the first order is drawn.
    await opensCards();
    await asksInGroup(bisi, [chidi, dayo]);
    ada = await amaka.atScreen(browser, PHONE);
    // What leaves for a bank asks who one is: the answer holds for the rest.
    await quoteWithdrawal(ada, "1000");
    await ada.button(/^Send ₦/).click();
    await stepUp(ada);
    await ada.at(/withdrawals?\//);
    await ada.page.clock.install();
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
      async ({ what, call, does, reads, moves }) => {
        const { page } = ada;
        const had = await reads();
        const taken = cut === lose;
        let tries = 0;
        await page.route(call, (route) => {
          tries += 1;
          return cut(route);
        });
        await page.route(ASKED_ABOUT, abort);
        await does(time);
        await skipsPauses(page, () => tries);
        // A screen reader does not hear the header while a dialog is open.
        await page.getByRole("button", { name: ONE_OPEN, includeHidden: true }).waitFor();
        expect(await page.getByText(FALSE_WORDS).count()).toBe(0);
        await snapshot(page, `${time + 1}-unknown-${call.split("/").at(-1)}`);
        await page.goto("/dashboard"); // A load forgets nothing of it.
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
        await expect.poll(reads).toBe(had + moves);
        await ada.goes("/dashboard/wallet/");
        await page.locator("[data-balance]").waitFor();
        expect(await ada.button(ONE_OPEN).count()).toBe(0);
      },
    );
  }

  it("nobody's browser complained", () => {
    expect(ada.problems).toEqual([]);
  });
});
