import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goes, logIn } from "./browse.mjs";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

let product: Product;
let browser: Browser;
let page: Page;
/** The due, as its button says it. */
let due: string;
let total: string;
let account: string;
let group: string;
let subAccount: string;

const open = (where = page) => where.getByRole("link", { name: `Transfer open · Continue ${due}` }).first();
const number = async () =>
  (await page.locator("dt", { hasText: "Account number" }).locator("xpath=following-sibling::dd[1]").textContent()) ??
  "";

/** At the sandbox bank's counter, in another tab. */
async function send(amount: string) {
  const counter = await page.context().newPage();
  await counter.goto("/sandbox/");
  const sending = counter.locator('form[action="/sandbox/send"]');
  await sending.getByLabel("Account number", { exact: true }).fill(account);
  await sending.getByLabel("Amount", { exact: true }).fill(amount.replaceAll(/[₦,]/g, ""));
  await sending.getByLabel("Sender name").fill("A Payer");
  await sending.getByRole("button", { name: "Send money" }).click();
  await counter.waitForLoadState();
  await counter.close();
}

describe("a bank transfer for a due", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: PHONE, baseURL: product.url, reducedMotion: "reduce" });
    page = await context.newPage();
    if (!product.login) throw new Error("The demo has no login.");
    await logIn(page, product.login);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("is started from the dashboard, with what it is for and the button in sight", async () => {
    const pay = page.getByRole("link", { name: /^Pay .+, / }).first();
    due = ((await pay.getAttribute("aria-label")) ?? "").replace(/^Pay /, "");
    const address = new URLSearchParams((await pay.getAttribute("href"))?.split("?")[1]);
    group = address.get("groupId") ?? "";
    subAccount = address.get("subAccountId") ?? "";
    await pay.click();
    const [sub, label] = due.split(", ") as [string, string];
    await page.getByRole("heading", { name: sub }).waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    const button = page.getByRole("button", { name: /^Pay ₦/ });
    for (const seen of [page.getByText(label, { exact: true }), button]) {
      const box = await seen.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= 640, String(seen)).toBe(true);
    }
    total = ((await button.textContent()) ?? "").replace("Pay ", "");
    await page.getByText("Bank transfer", { exact: true }).click();
    await button.click();
    account = await number();
    expect(account).toMatch(/^\d{10}$/);
  });

  it("stands on its due after Back, after a reload, and wherever the due is shown", async () => {
    await page.goBack();
    await page.waitForURL("**/dashboard");
    await open().waitFor();
    await page.reload();
    await open().waitFor();
    expect(await page.getByRole("link", { name: `Pay ${due}` }).count()).toBe(0);
    await goes(page, `/savings/${group}`);
    await open().waitFor();
    // All dues of the sub-account, those to come too: there it says the month alone.
    await goes(page, `/savings/sub-account/${subAccount}`);
    const label = due.split(", ")[1];
    await page.getByRole("link", { name: `Transfer open · Continue ${label}, ${label}` }).waitFor();
    await goes(page, "/dashboard");
  });

  it("is gone on with, and no other is started by the page's plain address or a reload", async () => {
    await open().click();
    expect(await number()).toBe(account);
    await page.getByRole("timer").waitFor();
    await page.reload();
    expect(await number()).toBe(account);
    const plain = new URL(page.url());
    plain.searchParams.delete("reference");
    await page.goto(plain.toString());
    expect(await number()).toBe(account);
    await page.getByRole("button", { name: "Start another payment instead" }).click();
    await page.getByText(`A transfer of ${total} is open for this`).waitFor();
    await page.goBack();
    expect(await number()).toBe(account);
  });

  it("lands on the open page without a reload, and the due is free of it", async () => {
    await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
    await send(total);
    await page.getByText("Paid", { exact: true }).waitFor();
    expect(await page.locator("body[data-same-page]").count()).toBe(1);
    await goes(page, "/dashboard");
    await page.getByRole("heading", { name: "For you now" }).waitFor();
    await page.locator("a[href^='/dashboard/activity/']").first().waitFor();
    expect(await open().count()).toBe(0);
  });

  it("has a receipt as a picture and as a PDF, and anybody can check its code", async () => {
    await page.locator("a[href^='/dashboard/activity/']").filter({ hasNotText: "Answer" }).first().click();
    for (const [name, ending] of [
      ["Share receipt", "png"],
      ["Receipt (PDF)", "pdf"],
    ] as const) {
      const reply = page.waitForResponse(/receipt-file/);
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      expect((await coming).suggestedFilename()).toMatch(new RegExp(`^adashi-receipt-\\d+\\.${ending}$`));
      const said = (await reply).headers()["content-disposition"] ?? "";
      const code = /adashi-receipt-(.+)\.(?:png|pdf)/.exec(said)?.[1];
      const stranger = await browser.newContext({ baseURL: product.url });
      const paper = await stranger.newPage();
      await paper.goto(`/verify-statement/${code}`);
      await paper.getByText("We issued this receipt").waitFor();
      await paper.locator(`[data-naira="${total}"]`).waitFor();
      await stranger.close();
    }
    await page.getByText(/validates this payment$/).waitFor();
  });
});
