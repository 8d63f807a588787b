import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registered } from "./pages/account";
import { stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { seesBalance, sendToOurAccount, startsTransfer } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const REASON = "She showed the slip: same sum, same hour.";

let product: Product;
let browser: Browser;
let ngozi: Person;
let femi: Person;
let sade: Person;

const picture = pictures("finance");

const person = (name: string, digit: number, viewport?: typeof PHONE) =>
  registered(browser, product.url, { name, where: "desk", digit, viewport });

const arrival = ({ page }: Person, state: "OPEN" | "PROPOSED" | "ASSIGNED") =>
  page.locator(`[data-unmatched="${state}"]`).filter({ has: page.locator('[data-naira="₦3,400.50"]') });

/** A page that is loaded anew has the mark no more. */
const marked = ({ page }: Person) => page.evaluate(() => document.body.setAttribute("data-marked", ""));
const stays = ({ page }: Person) => page.locator("body[data-marked]").waitFor({ state: "attached" });

describe("those who look after the money", () => {
  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    ngozi = await person("Ngozi Eze", 4, PHONE);
    femi = await person("Femi Taiwo", 5);
    sade = await person("Sade Bello", 6);
    await product.grant([
      { email: femi.who.email, role: "FinanceOps" },
      { email: sade.who.email, role: "FinanceOps" },
    ]);
    for (const one of [ngozi, femi, sade]) await one.logsIn();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("is not for a member", async () => {
    await ngozi.goes("/finance");
    await ngozi.page.getByRole("heading", { name: "There is no page here" }).waitFor();
    expect(await ngozi.link("Finance desk").count()).toBe(0);
  });

  it("shows money that came for nobody", async () => {
    await sendToOurAccount(ngozi, "3400.50", "NGOZI EZE");
    await femi.goes("/dashboard");
    await femi.link(/Finance desk/).click();
    await arrival(femi, "OPEN").waitFor();
    await femi.sees("1 arrival waits for an owner, ₦3,400.50 in all.");
    await picture(femi, "1-open");
  });

  it("lets one person propose whose it is, and not agree alone; another's open list follows", async () => {
    const { page } = femi;
    await sade.goes("/finance");
    await arrival(sade, "OPEN").waitFor();
    await marked(sade);
    await arrival(femi, "OPEN")
      .getByRole("button", { name: /^Propose whose it is/ })
      .click();
    const modal = page.getByRole("dialog", { name: "Propose whose it is" });
    await modal.getByLabel("The member's email").fill("nobody@example.com");
    await modal.getByLabel("How do you know?").fill("hm");
    await modal.getByRole("button", { name: "Propose" }).click();
    await modal.getByText("Say in at least five letters how you know.").waitFor();
    await modal.getByLabel("How do you know?").fill(REASON);
    await modal.getByRole("button", { name: "Propose" }).click();
    await modal.getByLabel("The member's email").and(page.locator('[aria-invalid="true"]')).waitFor();
    await modal.getByLabel("The member's email").fill(ngozi.who.email);
    await modal.getByRole("button", { name: "Propose" }).click();
    await modal.waitFor({ state: "hidden" });
    const proposed = arrival(femi, "PROPOSED");
    await proposed.getByText("You proposed it, so somebody else must agree.").waitFor();
    expect(await proposed.getByRole("button", { name: /^Agree/ }).count()).toBe(0);
    await picture(femi, "2-mine");
    await arrival(sade, "PROPOSED").waitFor();
    await arrival(sade, "OPEN").waitFor({ state: "detached" });
    await stays(sade);
    await picture(sade, "2-live");
    await marked(femi);
  });

  it("credits the member once another agrees, on her open screen", async () => {
    await ngozi.goes("/dashboard/wallet/");
    await seesBalance(ngozi, "₦0.00");
    const proposed = arrival(sade, "PROPOSED");
    await proposed.getByText(/^Femi T.* proposes: it is Ngozi E.*'s$/).waitFor();
    await proposed.getByText(REASON).waitFor();
    await proposed.getByRole("button", { name: /^Agree/ }).click();
    const question = sade.page.getByRole("dialog", { name: "Credit this member?" });
    await question.getByText(/₦3,400\.50 goes into the wallet of Ngozi/).waitFor();
    await question.getByRole("button", { name: "Credit the member" }).click();
    await sade.sees("0 arrivals wait for an owner, ₦0.00 in all.");
    await femi.sees("0 arrivals wait for an owner, ₦0.00 in all.");
    await stays(femi);
    await sade.page.getByLabel("Show").selectOption({ label: "Assigned" });
    await arrival(sade, "ASSIGNED").waitFor();
    await sade.sees(/Agreed by Sade/);
    // She did nothing: her wallet follows by itself.
    await seesBalance(ngozi, "₦3,400.50");
    await picture(sade, "3-assigned");
    await ngozi.goes("/dashboard/activity");
    await ngozi.page.locator('a[href^="/dashboard/activity/"]').first().waitFor();
  });

  it("holds the ledger against the bank, and finds it in balance", async () => {
    const { page } = sade;
    await sade.goes("/finance?tab=reconciliation");
    await sade.button("Reconcile now").click();
    const run = page.locator("[data-reconciliation]").first();
    await run.getByText("In balance").waitFor({ timeout: 60_000 });
    await run.getByText("On demand").waitFor();
    await run.getByText("No differences.").waitFor();
    expect(await run.locator('[data-naira="₦3,400.50"]').count()).toBe(2);
    await picture(sade, "4-balanced");
  });

  it("credits an arrival once when the bank's statement tells of it without our reference, before the webhook", async () => {
    await ngozi.goes("/dashboard/wallet/");
    const account = await startsTransfer(ngozi, "2,750.25");
    const sent = new URLSearchParams({ account, amount: "2750.25", sender: "NGOZI EZE", silent: "1", line_bare: "1" });
    await fetch(`${product.url}/sandbox/send`, { method: "POST", body: sent, redirect: "manual" });
    const { page } = sade;
    await sade.goes("/finance?tab=reconciliation");
    await page.locator("[data-reconciliation]").first().waitFor();
    const before = await page.locator("[data-reconciliation]").count();
    await sade.button("Reconcile now").click();
    await page.locator("[data-reconciliation]").nth(before).waitFor({ timeout: 60_000 });
    await ngozi.page.getByRole("dialog").getByText("Payment received").waitFor();
    await ngozi.goes("/dashboard/wallet/");
    await seesBalance(ngozi, "₦6,150.75");
    await sade.button("Reconcile now").click();
    await page
      .locator("[data-reconciliation]")
      .nth(before + 1)
      .waitFor({ timeout: 60_000 });
    await page.locator("[data-reconciliation]").first().getByText("In balance").waitFor();
    await sade.goes("/finance");
    await sade.sees("0 arrivals wait for an owner, ₦0.00 in all.");
    await ngozi.page.reload();
    await seesBalance(ngozi, "₦6,150.75");
    await picture(ngozi, "5-credited-once");
  });

  it("lets a member find their own money in what is owed, and say so when it is not all there", async () => {
    const { page } = ngozi;
    await ngozi.goes("/dashboard/wallet/");
    await ngozi.link("How we show that your money is there").click();
    await ngozi.button("Check mine").click();
    await ngozi.sees(/^Yours is counted. Your ₦6,150.75 is one of the parts of the ₦6,150.75/);
    for (const step of ["root", "seen", "path", "recorded"]) {
      await page.locator(`[data-proof="${step}"][data-state="passed"]`).waitFor();
    }
    await picture(ngozi, "6-counted");
    const coming = page.waitForEvent("download");
    await ngozi.button("Keep the proof").click();
    const kept = JSON.parse(readFileSync(await (await coming).path(), "utf8"));
    expect(kept.accounts.map(({ kobo }: { kobo: string }) => kobo)).toEqual(["615075"]);
    expect(JSON.stringify(kept)).not.toContain("Ngozi");
    await page.route("**/api/v1/reserves/mine", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [wallet] = body.returnedObject.file.accounts;
      wallet.kobo = wallet.parts[0].kobo;
      wallet.parts = wallet.parts.slice(0, 1);
      await route.fulfill({ response, json: body });
    });
    await ngozi.button("Check again").click();
    await ngozi.sees(/^This does not hold/);
    await page.locator('[data-proof="seen"][data-state="failed"]').waitFor();
    await picture(ngozi, "7-not-counted");
    await page.unroute("**/api/v1/reserves/mine");
    await sade.goes("/dashboard/reserves");
    await sade.button("Check mine").click();
    await sade.sees("Checked: you had nothing of your own with us at that count.");
    await picture(sade, "8-nothing");
  });

  it("sends a stranger's money back to the account that it came from, once two of the desk agree", async () => {
    const at = { bank: "058", account: "3900000017" };
    const post = (form: string, fields: Record<string, string>) =>
      fetch(`${product.url}/sandbox/${form}`, {
        method: "POST",
        body: new URLSearchParams(fields),
        redirect: "manual",
      });
    await post("people", { first_name: "Amaka", last_name: "Stranger", ...at });
    const from = { from_bank: at.bank, from_account: at.account, sender: "Stranger Amaka" };
    await post("send", { account: "1000000010", amount: "1200.50", ...from });
    const stray = ({ page }: Person, state: string) =>
      page.locator(`[data-unmatched="${state}"]`).filter({ has: page.locator('[data-naira="₦1,200.50"]') });
    for (const one of [femi, sade]) await one.goes("/finance");
    await stray(femi, "OPEN")
      .getByRole("button", { name: /^Send it back/ })
      .click();
    const modal = femi.page.getByRole("dialog", { name: "Send it back" });
    await modal.getByLabel("Why does it go back?").fill("Nobody here knows the sender.");
    await picture(femi, "9-back");
    await modal.getByRole("button", { name: "Propose" }).click();
    await stepUp(femi);
    await modal.waitFor({ state: "hidden" });
    await stray(femi, "PROPOSED").getByText("You proposed it, so somebody else must agree.").waitFor();
    const proposed = stray(sade, "PROPOSED");
    await proposed.getByText(/^Femi T.* proposes: send it back to .*AMAKA.*0017$/i).waitFor();
    await proposed.getByRole("button", { name: /^Agree/ }).click();
    const question = sade.page.getByRole("dialog", { name: "Send this money back?" });
    await question.getByText(/^₦1,200\.50 goes to .*0017\./).waitFor();
    await picture(sade, "10-agree");
    await question.getByRole("button", { name: "Send it back" }).click();
    await stepUp(sade);
    await question.waitFor({ state: "hidden" });
    await sade.page.getByLabel("Show").selectOption({ label: "Sent back" });
    await stray(sade, "SENT_BACK")
      .getByText(/^Sent back to its sender on/)
      .waitFor();
    await stray(sade, "SENT_BACK")
      .getByText(/Agreed by Sade/)
      .waitFor();
    await picture(sade, "11-sent-back");
  });

  it("nobody's browser complained", () => {
    expect([ngozi, femi, sade].flatMap(({ problems }) => problems)).toEqual([]);
  });
});
