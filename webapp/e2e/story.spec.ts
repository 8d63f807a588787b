import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillLogin, fillSignUp, logOut, signUp, verify } from "./pages/account";
import { approve, createGroup, groupTotal, invitation, join, setApprover, setValidator, tick } from "./pages/group";
import { provesBvn } from "./pages/people";
import { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { fundByCard, fundByTransfer, seesBalance } from "./pages/wallet";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const GROUP = "Balogun Traders";
const SUB = "Monthly dues";
// That the screen follows by itself, not how fast: that is printed below and measured by `bench live`.
const FOLLOW_LIMIT_MS = 2000;

const run = Date.now().toString(36);
const identity = (firstName: string, lastName: string, digit: number) => ({
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}.${run}@example.com`,
  phone: `080${digit}${String(Date.now()).slice(-7)}`,
  password: `good-${run}-pass`,
});

/** YYYY-MM-DD in Lagos, so many years ago and days from now. */
function lagosDay(years: number, days: number): string {
  const moment = new Date(Date.now() + days * 86_400_000);
  const [year = "", month, day] = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" })
    .format(moment)
    .split("-");
  return `${Number(year) - years}-${month}-${day}`;
}

let product: Product;
let browser: Browser;
let a: Person;
let b: Person;
let c: Person;
let d: Person;
let groupId: string;
let invitationLink: string;

const snapshot = snapshots("story");

/** Taken once figures have rolled to their value and toasts have slid in. */
async function picture({ page }: Person, name: string) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement>("[data-naira] [aria-hidden]")].every(
      (rolling) => rolling.textContent === rolling.parentElement?.dataset.naira,
    ),
  );
  await snapshot(page, name);
}

describe("four people, one naira that goes all the way round", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
    a = await Person.arrive(browser, product.url, identity("Adaeze", "Okonkwo", 3), DESKTOP, true);
    b = await Person.arrive(browser, product.url, identity("Bola", "Adeyemi", 5), PHONE, true);
    c = await Person.arrive(browser, product.url, identity("Chidi", "Eze", 7), DESKTOP, true);
    d = await Person.arrive(browser, product.url, identity("Dayo", "Balogun", 9), DESKTOP, true);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("1 · D of 15 today signs up, a day younger is refused; A verifies and logs in", async () => {
    await d.page.goto("/signup");
    await fillSignUp(d, lagosDay(15, 1));
    await d.sees("You must be 15 or older to use Adashi.");
    await signUp(d, lagosDay(15, 0));
    await picture(d, "1-check-your-email");
    await signUp(a, "1990-05-17");
    await verify(a);
    await a.page.getByRole("heading", { name: "Hello, Adaeze" }).waitFor();
    for (const person of [b, c]) {
      await signUp(person, "1990-05-17");
      await verify(person);
    }
    await verify(d);
    await b.sees("Three steps to begin");
    await picture(b, "1-first-dashboard");
  });

  it("2 · B funds the wallet by transfer and by card, and the balance follows without a reload", async () => {
    await b.page.goto("/dashboard/wallet/");
    await seesBalance(b, "₦0.00");
    await fundByTransfer(b, "20,000");
    await seesBalance(b, "₦20,000.00");
    await fundByCard(b, "5000", "₦5,177.67");
    await seesBalance(b, "₦25,000.00");
    await picture(b, "2-wallet");
  });

  it("3 · A proves a BVN and makes the group; B, C and D join by the link; C validates and D approves", async () => {
    const digits = (count: number) => String(Date.now() * 31).slice(-count);
    await provesBvn(a, "Guaranty Trust Bank", `1${digits(9)}`, `2${digits(10)}`);
    groupId = await createGroup(a, GROUP, "5,000");
    await a.page.getByRole("link", { name: SUB }).waitFor(); // It opens with the group.
    invitationLink = await invitation(a, groupId);

    await logOut(b);
    await b.page.goto(invitationLink);
    await b.page.getByRole("heading", { name: GROUP }).waitFor();
    await b.link("Log in to join").click();
    await fillLogin(b);
    await b.at(/^\/savings\/join-group\//);
    await join(b);
    await picture(b, "3-waiting");
    await approve(a, b);
    await b.sees("You are in");

    await c.page.goto(invitationLink);
    await join(c);
    await approve(a, c);
    await c.sees("You are in");
    await d.page.goto(invitationLink);
    await join(d);
    await approve(a, d);
    await setApprover(a, groupId, d);
    await setValidator(a, c);
    await a.page.getByText("Validator", { exact: true }).waitFor();
    await picture(a, "3-group");
  });

  it("4 · B pays the month; A's open page shows total, tick and notification by themselves", async () => {
    await a.page.goto(`/savings/${groupId}`);
    await groupTotal(a, "₦0.00").waitFor();
    const before = Number(
      (await a.page
        .locator("[data-unread]")
        .getAttribute("data-unread")
        .catch(() => "0")) ?? 0,
    );

    await b.page.goto(`/savings/${groupId}`);
    await b
      .link(/^Pay ₦5,000.00 Monthly dues/)
      .first()
      .click();
    const tab = await b.context.newPage();
    await tab.goto(b.page.url());
    await tab.getByRole("button", { name: "Pay ₦5,000.00" }).waitFor();
    const pay = b.button("Pay ₦5,000.00");
    await pay.waitFor();
    await picture(b, "4-review");

    // The clock starts as the server's answer reaches B.
    const answered = b.page.waitForResponse(/make-payment-with-wallet/).then(() => performance.now());
    const seen = { total: 0, tick: 0, bell: 0 };
    const follow = Promise.all([
      groupTotal(a, "₦5,000.00")
        .waitFor()
        .then(() => {
          seen.total = performance.now();
        }),
      tick(a, b)
        .waitFor()
        .then(() => {
          seen.tick = performance.now();
        }),
      a.page
        .waitForFunction(
          (n) => Number(document.querySelector("[data-unread]")?.getAttribute("data-unread") ?? 0) > n,
          before,
          { polling: 10 },
        )
        .then(() => {
          seen.bell = performance.now();
        }),
    ]);
    await pay.dblclick();
    await b.page.getByText("See the receipt").waitFor();
    const paid = await answered;
    await follow;
    const late = Object.entries(seen).map(([what, at]) => [what, Math.round(at - paid)]);
    console.log("A's screen followed B's answer after (ms):", Object.fromEntries(late));
    for (const [what, ms] of late) expect(ms, String(what)).toBeLessThan(FOLLOW_LIMIT_MS);
    await picture(a, "4-group-followed");

    await tab.getByRole("button", { name: "Pay ₦5,000.00" }).click();
    await tab
      .getByText(/See the receipt|already/)
      .first()
      .waitFor();
    await tab.close();
    await b.page.goto("/dashboard/wallet/");
    await seesBalance(b, "₦20,000.00");
    await groupTotal(a, "₦5,000.00").waitFor();
    await a.button(/^Notifications/).click();
    await a.page.getByRole("dialog", { name: "Notifications" }).getByText("₦5,000").first().waitFor();
    await picture(a, "4-notifications");
    await a.page.keyboard.press("Escape");
  });

  it("5 · B's activity tells the payment's story, and the search drawer finds the group", async () => {
    await b.page.goto("/dashboard/activity");
    await b.link(new RegExp(SUB)).first().click();
    await b.page.getByRole("heading", { name: "What happened" }).waitFor();
    const steps = b.page.locator("section", { hasText: "What happened" }).getByRole("listitem");
    expect(await steps.count()).toBe(4);
    await steps
      .last()
      .getByText(/validates this payment/)
      .waitFor();
    await b.page.getByRole("heading", { name: "The double entry, in plain words" }).waitFor();
    await b.page.getByText(/^[0-9a-f]{64}$/).waitFor();
    await picture(b, "5-story");

    await b.button("Search savings groups").click();
    await b.sees("Start typing to search...");
    await b.page.getByPlaceholder("Search for active savings groups").fill("balogun");
    await b.link(new RegExp(GROUP)).first().waitFor();
    await picture(b, "5-search");
    await b.page.getByPlaceholder("Search for active savings groups").fill("nobody saves here");
    await b.sees("No result found.");
    await b.button("Cancel").click();
  });

  it("nobody's browser complained", () => {
    for (const person of [a, b, c]) expect(person.problems, person.name).toEqual([]);
  });
});
