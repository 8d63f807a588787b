import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newcomer } from "./pages/account";
import { ajoInvitation, ajoStatus, approvesPot, foundAjo, joinAjo, paysDue, potHolds, requestsPot } from "./pages/ajo";
import { Caller } from "./pages/caller";
import { known } from "./pages/known";
import { stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { fundByTransfer, seesBalance } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const AJO = "Balogun esusu";
const picture = pictures("ajo");

let product: Product;
let browser: Browser;
let adaeze: Person;
let bola: Person;
let chidi: Person;
let dayo: Person;
let id = "";
let link = "";

/** Somebody whose bank account and BVN are verified, with a window of their own. */
async function arrives(firstName: string, lastName: string, digit: number, viewport?: typeof PHONE) {
  const name = `${firstName} ${lastName}`;
  const person = await newcomer(browser, product.url, { name, where: "esusu", digit, viewport });
  const { email, password } = person.who;
  const caller = await Caller.logIn(product.url, { email, password });
  const digits = (count: number) => `${digit}${String(Date.now() * 31).slice(1 - count)}`;
  await known(caller, { first: firstName, last: lastName, account: digits(10), bvn: digits(11) });
  return person;
}

const everybody = () => [adaeze, bola, chidi, dayo];
/** On a phone the hero and the next action are in view at once, and an ajo of three is not long. */
async function heightsOf(person: Person) {
  const { page } = person;
  await person.goes(`/ajo/${id}`);
  await page.locator("[data-turn]").first().waitFor();
  const hero = await page.locator("[data-hero]").boundingBox();
  const bar = await page.locator("[data-bar]").boundingBox();
  const bottom = (box: typeof bar) => (box ? box.y + box.height : Number.POSITIVE_INFINITY);
  expect(bottom(hero)).toBeLessThanOrEqual(600);
  expect(bottom(bar)).toBeLessThanOrEqual(PHONE.height);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1400);
}

const toAjo = (person: Person) => person.goes(`/ajo/${id}`);

describe("four people save in turn", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
    adaeze = await arrives("Adaeze", "Okonkwo", 3);
    bola = await arrives("Bola", "Adeyemi", 5, PHONE);
    chidi = await arrives("Chidi", "Eze", 7);
    dayo = await arrives("Dayo", "Balogun", 9);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("1 · Adaeze founds an ajo of three hands and invites", async () => {
    id = await foundAjo(adaeze, AJO, "10,000", 3);
    link = await ajoInvitation(adaeze, id);
    expect(link).toContain(`/ajo/join-group/${id}?code=`);
    await picture(adaeze, "1-invite");
  });

  it("2 · Bola and Chidi take half a hand each, Dayo a whole one; a stranger learns nothing", async () => {
    await dayo.goes(`/ajo/${id}`);
    await dayo.sees("There is no such ajo for you");
    await bola.page.goto(link);
    await bola.sees("What you owe if you stop");
    await picture(bola, "2-terms");
    await joinAjo(bola, link, /^Half a hand/);
    await toAjo(adaeze);
    await adaeze.page.getByText("It still needs").waitFor();
    await picture(adaeze, "2-list");
    await joinAjo(chidi, link, /^Half a hand/);
    await joinAjo(dayo, link, /^1 hand/);
  });

  it("3 · Adaeze's open page follows; she closes the list, and the order is that of joining, herself last", async () => {
    await adaeze.page.getByText("It still needs").waitFor({ state: "detached" });
    await adaeze.button("Close the list").click();
    await adaeze.button("Close it").click();
    await ajoStatus(adaeze, "ACTIVE");
    const turns = await adaeze.page.locator("[data-turn] p:first-child").allTextContents();
    expect(turns).toHaveLength(3);
    expect(turns[0]).toMatch(/Bola.*Chidi/);
    expect(turns[1]).toContain("Dayo");
    expect(turns[2]).toContain("Adaeze");
    await picture(adaeze, "3-turns");
    await heightsOf(bola);
  });

  it("4 · all pay their due from their wallets, and the pot fills on an open page", async () => {
    for (const person of everybody()) {
      await person.goes("/dashboard/wallet/");
      await fundByTransfer(person, "20,000");
    }
    await toAjo(adaeze);
    await potHolds(adaeze, 0);
    let kobo = 0;
    for (const [person, amount, halves] of [
      [bola, "₦5,000.00", 1],
      [chidi, "₦5,000.00", 1],
      [dayo, "₦10,000.00", 2],
    ] as const) {
      await toAjo(person);
      await paysDue(person, amount);
      kobo += halves * 500_000;
      await potHolds(adaeze, kobo);
    }
    await picture(adaeze, "4-pot");
    await paysDue(adaeze, "₦10,000.00");
    // It is ready at once, and the next one begins to fill.
    await potHolds(adaeze, 3_000_000);
    await bola.sees("Your pot of cycle 1 is ready");
    await picture(bola, "4-paid");
  });

  it("5 · Bola asks for the pot, the owner and one other approve, and both who hold the hand have half", async () => {
    const gets = await requestsPot(bola, id, 1);
    expect(gets).toBe("₦14,850.00");
    await picture(bola, "5-asked");
    await approvesPot(adaeze, id, 1);
    await stepUp(adaeze);
    await adaeze.sees("1 of 2 approvals");
    await approvesPot(dayo, id, 1);
    await stepUp(dayo);
    await dayo.page.locator('[data-payout="PAID"]').waitFor();
    await picture(dayo, "5-paid");
    for (const person of [bola, chidi]) {
      await person.goes("/dashboard/wallet/");
      await seesBalance(person, "₦29,850.00");
    }
    expect(everybody().flatMap(({ problems }) => problems)).toEqual([]);
  });
});
