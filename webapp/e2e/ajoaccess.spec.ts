import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registered } from "./pages/account";
import { Caller } from "./pages/caller";
import { known } from "./pages/known";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const SUGGESTED = "The bank statement does not show this salary. Correct the salary, or upload another statement.";
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let product: Product;
let browser: Browser;
let bisi: Person;
let femi: Person;

const picture = pictures("ajoaccess");

const person = (name: string, digit: number, viewport?: typeof PHONE) =>
  registered(browser, product.url, { name, where: "ajo", digit, viewport });

const card = () => bisi.page.getByRole("region", { name: "Ajo with people you do not know" });

async function earns(amount: string) {
  const salary = bisi.page.getByRole("region", { name: "Salary & documents" });
  await salary.getByLabel("Monthly salary").fill(amount);
  await salary.getByRole("button", { name: "Save" }).click();
  await bisi.toast("Success", "Your profile is saved.");
}

async function uploads(what: string) {
  await bisi.page.locator(`[data-picker="Choose a file: ${what}"]`).setInputFiles({
    name: "paper.png",
    mimeType: "image/png",
    buffer: pixel,
  });
  await bisi.button(`Upload ${what}`).click();
  await bisi.button(`Replace ${what}`).waitFor();
}

/** From the desk's queue on to the one request. */
async function reviews() {
  await femi.goes("/finance?tab=ajo");
  const review = femi.button(/^Review: Bisi/);
  await review.focus();
  await femi.page.keyboard.press("Enter");
  await femi.page.getByRole("heading", { name: "Bisi Ade" }).waitFor();
}

describe("access to ajo with people one does not know", () => {
  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    bisi = await person("Bisi Ade", 4, PHONE);
    femi = await person("Femi Taiwo", 5);
    await product.grant([{ email: femi.who.email, role: "FinanceOps" }]);
    await bisi.logsIn();
    await femi.logsIn();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("says what is missing until it is there", async () => {
    await bisi.goes("/dashboard/profile/edit#ajo");
    await card().locator('[data-need="BVN"]').getByText("Missing").waitFor();
    expect(await card().getByText("Missing").count()).toBe(4);
    expect(await card().getByRole("button", { name: "Ask for access" }).isDisabled()).toBe(true);
    await picture(bisi, "1-missing", card());
    const { email, password } = bisi.who;
    const caller = await Caller.logIn(product.url, { email, password });
    await known(caller, { first: "Bisi", last: "Ade", account: "1234500066", bvn: "22345678966" });
    await bisi.page.reload();
    await card().getByRole("link", { name: "Add: Your monthly salary" }).click();
    await earns("900,000");
    await uploads("bank statement");
    await uploads("offer letter");
    await card().getByRole("button", { name: "Ask for access" }).click();
    await bisi.sees(/with a salary of ₦900,000\.00 a month/);
    await picture(bisi, "2-asked", card());
  });

  it("is refused with a reason, which the member reads on their open page", async () => {
    await reviews();
    const [paper] = await Promise.all([
      femi.page.waitForEvent("download"),
      femi.button("Open the bank statement").click(),
    ]);
    expect(paper.suggestedFilename()).toContain("bank-statement");
    await picture(femi, "3-review");
    await femi.button("Refuse").click();
    const dialog = femi.page.getByRole("dialog", { name: "Refuse the request of Bisi Ade?" });
    await dialog.getByLabel("Suggested reasons").selectOption(SUGGESTED);
    await picture(femi, "4-refuse");
    await dialog.getByRole("button", { name: "Refuse and tell them" }).click();
    await femi.sees("0 requests wait.");
    await card().getByText("Not granted").waitFor();
    await card().getByText(SUGGESTED).waitFor();
    await picture(bisi, "5-refused", card());
  });

  it("is granted once it is corrected, up to a third of the salary", async () => {
    await earns("210,000");
    await card().getByRole("button", { name: "Ask again" }).click();
    await bisi.sees(/with a salary of ₦210,000\.00 a month/);
    await reviews();
    await femi.button("Grant").click();
    const dialog = femi.page.getByRole("dialog", { name: "Grant ajo access to Bisi Ade?" });
    await dialog.getByText(/may commit up to ₦70,000\.00 a month/).waitFor();
    await picture(femi, "6-grant");
    await dialog.getByRole("button", { name: "Grant access" }).click();
    await femi.sees("0 requests wait.");
    await card()
      .getByText(/up to ₦70,000\.00 a month in all/)
      .waitFor();
    expect(await card().getByRole("button").count()).toBe(0);
    await picture(bisi, "7-granted", card());
  });

  it("nobody's browser complained", () => {
    expect([bisi, femi].flatMap(({ problems }) => problems)).toEqual([]);
  });
});
