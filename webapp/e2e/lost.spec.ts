import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OURS } from "./browse.mjs";
import { fillLogin, logOut, newcomer } from "./pages/account";
import type { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { fundByCard, reviewCard, seesBalance } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const START = "**/api/Payment/generate-reference";
const CHARGE = "**/api/Payment/make-payment";
const UNKNOWN = "We don't know yet whether this went through";

let product: Product;
let browser: Browser;
let ada: Person;
let bola: Person;

const snapshot = snapshots("lost");
const picture = (name: string) => snapshot(ada.page, name);

/** The server acts, and its answer never comes back. */
async function lose(route: Route) {
  await route.fetch();
  await route.abort();
}

const refuse = (status: number, message: string, returnedCode: string) => (route: Route) =>
  route.fulfill({ status, headers: OURS, json: { isSuccessful: false, message, returnedCode } });

const charges = async (card: string) => {
  await ada.page.goto("/dashboard/wallet/");
  return reviewCard(ada, "5,000", "₦5,177.67", card);
};

describe("a phone whose connection breaks, and whose person changes", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
    ada = await newcomer(browser, product.url, { name: "Adaeze Nna", where: "lost", digit: 1, viewport: PHONE });
    bola = await newcomer(browser, product.url, { name: "Bola Eze", where: "lost", digit: 2 });
    await bola.context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("charges a card once, though the answer is lost, then refused for too many tries, and the page loaded again", async () => {
    const { page } = ada;
    await page.goto("/dashboard/wallet/");
    await fundByCard(ada, "5000", "₦5,177.67", { save: true });
    await seesBalance(ada, "₦5,000.00");
    const card = (
      (await page
        .getByText(/ ending in \d{4}$/)
        .first()
        .textContent()) ?? ""
    ).trim();
    const modal = await charges(card);
    await page.route(CHARGE, lose);
    await modal.getByRole("button", { name: "Agree and pay" }).click();
    await modal.getByText(UNKNOWN).waitFor();
    await page.unroute(CHARGE);
    const again = modal.getByRole("button", { name: "Check again", disabled: false });
    for (const [call, refusal] of [
      [CHARGE, refuse(429, "That was too many tries.", "TOO_MANY")],
      [START, refuse(409, "This request was sent before with other details.", "CONFLICT")],
    ] as const) {
      const asked = page.waitForResponse(call);
      await page.route(call, refusal, { times: 1 });
      await again.click();
      await asked;
      await again.waitFor();
      await modal.getByText(UNKNOWN).waitFor();
      expect(await page.getByText("You have not been charged").count()).toBe(0);
    }
    await modal.getByRole("button", { name: "Start a new one" }).waitFor();
    await picture("1-unknown");
    await page.goto("/dashboard/wallet/");
    await ada.button("Fund wallet").first().click();
    await ada.sees("An earlier try has no answer yet");
    await picture("2-after-reload");
    await (await charges(card)).getByRole("button", { name: "Agree and pay" }).click();
    await ada.sees("Payment received");
    await page.goto("/dashboard/wallet/");
    await seesBalance(ada, "₦10,000.00");
    await ada.button("Fund wallet").first().click();
    await page.getByRole("dialog").getByLabel("Amount").waitFor();
    expect(await page.getByText("An earlier try has no answer yet").count()).toBe(0);
  });

  it("shows nothing of Ada's, nor what she typed, once Bola logs in in another tab", async () => {
    const { page } = ada;
    await page.goto("/dashboard/wallet/withdraw");
    await page.getByLabel("How much leaves your wallet?").fill("4,321");
    const tab = Object.assign(Object.create(ada) as Person, { page: await ada.context.newPage() });
    await tab.page.goto("/dashboard");
    await logOut(tab);
    await ada.at("/login");
    await fillLogin(Object.assign(Object.create(tab) as Person, { who: bola.who }));
    await tab.at("/dashboard");
    // Ada's own tab follows: it is Bola's now, with her wallet and an empty form.
    await ada.at("/dashboard");
    await page.goto("/dashboard/wallet/withdraw");
    await page.locator('[data-naira="₦0.00"]').first().waitFor();
    expect(await page.getByLabel("How much leaves your wallet?").inputValue()).toBe("");
    expect(await page.getByText("₦10,000.00").count()).toBe(0);
    await picture("3-bolas");
  });

  it("nobody's browser complained", () => {
    expect(ada.problems).toEqual([]);
  });
});
