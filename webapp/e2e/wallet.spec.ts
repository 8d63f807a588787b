import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registers } from "./pages/account";
import { approve, createGroup, createSubAccount, invitation, join, setApprover, setValidator } from "./pages/group";
import { bvnState, fillBank, openAccount, saveBank, stepUp, verifyBvn } from "./pages/people";
import { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import {
  fundByCard,
  fundBySavedCard,
  fundByTransfer,
  quoteWithdrawal,
  refusedWithdrawal,
  seesBalance,
  withdrawalState,
} from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const BANK = "Guaranty Trust Bank";
const SAVED = /^(Forget )?.+ ending in \d{4}$/;
const run = Date.now().toString(36);
const digits = (count: number, salt: number) => String(Date.now() * 31 + salt * 7919).slice(-count);

const identity = (firstName: string, lastName: string, digit: number) => ({
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}.wallet.${run}@example.com`,
  phone: `090${digit}${String(Date.now()).slice(-7)}`,
  password: `good-${run}-pass`,
});

/** YYYY-MM-DD in Lagos. */
const lagosDay = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());

let product: Product;
let browser: Browser;
let ada: Person;
let bisi: Person;
let group: string;

const snapshot = snapshots("wallet");
const picture = ({ page }: Person, name: string) => snapshot(page, name, true);

async function member(firstName: string, lastName: string, digit: number, viewport?: typeof PHONE) {
  const person = await Person.arrive(browser, product.url, identity(firstName, lastName, digit), viewport);
  await registers(person);
  await person.logsIn();
  return person;
}

/** What the browser is handed to keep, as bytes and under its name. */
async function download(person: Person, start: () => Promise<void>) {
  const coming = person.page.waitForEvent("download");
  await start();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

describe("the wallet, in and out", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
    ada = await member("Adanna", "Ibe", 1, PHONE);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("takes money in by transfer for nothing, and by a new card that is kept", async () => {
    await ada.goes("/dashboard/wallet/");
    await fundByTransfer(ada, "20,000");
    await seesBalance(ada, "₦20,000.00");
    await fundByCard(ada, "5000", "₦5,177.67", { save: true });
    await seesBalance(ada, "₦25,000.00");
    await ada.goes("/dashboard/wallet/");
    await ada.button(/^Forget /).waitFor();
    await picture(ada, "1-wallet");
  });

  it("takes money in by the saved card, charged with the total that was agreed to", async () => {
    const name = ((await ada.page.getByText(SAVED).first().textContent()) ?? "").trim();
    await fundBySavedCard(ada, "1,000", "₦1,015.23", name);
    await seesBalance(ada, "₦26,000.00");
  });

  it("a payment that is left can be come back to, with its account and its time", async () => {
    const { page } = ada;
    await ada.goes("/dashboard/wallet/?fund=1");
    const modal = page.getByRole("dialog", { name: "Fund wallet" });
    await modal.getByLabel("Amount").fill("700");
    await modal.getByRole("button", { name: "Continue" }).click();
    await modal.getByRole("button", { name: "Agree and continue" }).click();
    await modal.getByText("Transfer exactly ₦700.00").waitFor();
    await ada.goes("/dashboard");
    await ada.goes("/dashboard/wallet/");
    await ada
      .button(/^Continue:/)
      .first()
      .click();
    await page.getByRole("dialog").getByText("Transfer exactly ₦700.00").waitFor();
    await page.getByRole("timer").waitFor();
    await page.keyboard.press("Escape");
  });

  it("lets nothing out without a bank account and a verified BVN, and says which", async () => {
    await refusedWithdrawal(ada, "5,000", /bank account/i);
    const { firstName, lastName } = ada.who;
    const account = `1${digits(9, 1)}`;
    const bvn = `2${digits(10, 1)}`;
    await openAccount(ada, { firstName, lastName, bank: BANK, account, bvn });
    await ada.goes("/dashboard/profile/edit");
    await fillBank(ada, BANK, account);
    await saveBank(ada);
    await refusedWithdrawal(ada, "5,000", /BVN/);
    await ada.goes("/dashboard/profile/edit");
    await verifyBvn(ada, bvn);
    await bvnState(ada, "VERIFIED").waitFor();
  });

  it("refuses what the wallet does not hold, and what the tier does not allow", async () => {
    await refusedWithdrawal(ada, "26,000.01", /Your wallet holds|is available/);
    await ada.goes("/dashboard/wallet/");
    await ada.sees("Tier 1");
    await fundByTransfer(ada, "60,000");
    await seesBalance(ada, "₦86,000.00");
    await refusedWithdrawal(ada, "60,000", /₦50,000\.00 may leave/);
  });

  it("sends money to the bank after a step-up, and its page follows it to PAID", async () => {
    expect(await quoteWithdrawal(ada, "20,000")).toBe("₦19,923.12");
    expect((await ada.page.locator("[data-account-name]").textContent())?.toUpperCase()).toContain("ADANNA");
    await picture(ada, "2-withdraw-review");
    await ada.page.getByLabel(/Note for your bank statement/).fill("Stock for December");
    await ada.button("Send ₦19,923.12").click();
    await stepUp(ada);
    await ada.at(/^\/dashboard\/wallet\/withdrawals\//);
    await withdrawalState(ada, "PAID").waitFor({ timeout: 60_000 });
    await picture(ada, "3-withdrawal-paid");
    await ada.goes("/dashboard/wallet/");
    await seesBalance(ada, "₦66,000.00");
    await ada.sees("₦20,000.00 of ₦50,000.00 used");
  });

  it("pays a sub-account from the wallet, and makes that a standing order from today", async () => {
    const { page } = ada;
    group = await createGroup(ada, "Onitsha Savers", "5,000");
    await createSubAccount(ada, group, "Weekly thrift", "2,000");
    const link = await invitation(ada, group);
    // A group needs a validator and one more who approves before it takes contributions.
    for (const [firstName, lastName, digit] of [
      ["Bisi", "Cole", 2],
      ["Chike", "Ude", 3],
      ["Dayo", "Balogun", 4],
    ] as const) {
      const other = await member(firstName, lastName, digit);
      await other.page.goto(link);
      await join(other);
      await approve(ada, other);
      if (firstName === "Chike") await setValidator(ada, other);
      if (firstName === "Dayo") await setApprover(ada, group, other);
      if (firstName === "Bisi") bisi = other;
      else await other.context.close();
    }
    // The group's next due may be that of its monthly dues.
    await ada.goes(`/savings/${group}/sub-accounts`);
    await ada
      .link(/Weekly thrift/)
      .first()
      .click();
    await ada.link(/^Pay/).first().click();
    await ada.button("Pay ₦2,000.00").click();
    await ada.link("Make this a standing order").click();
    const modal = page.getByRole("dialog", { name: "New standing order" });
    await modal.getByText("Every week", { exact: true }).click();
    await modal.getByRole("button", { name: "Start the standing order" }).click();
    await modal.getByText("Agree first: nothing is taken without it.").waitFor();
    await modal.getByRole("checkbox").check();
    await modal.getByRole("button", { name: "Start the standing order" }).click();
    await modal.waitFor({ state: "hidden" });
    await page.locator('[data-standing="ACTIVE"]').waitFor();
  });

  it("finds movements again by search and filter, and hands them over as CSV", async () => {
    const { page } = ada;
    await ada.goes("/dashboard/activity");
    await page.getByLabel("Search your movements").fill("Weekly thrift");
    await page.waitForURL(/search=Weekly/);
    await ada
      .link(/Weekly thrift/)
      .first()
      .waitFor();
    await page.getByLabel("Search your movements").fill("");
    await ada.button(/^Filters/).click();
    await page.getByLabel("What").selectOption({ label: "Withdrawals" });
    const list = page.getByRole("list", { name: "Movements, newest first" });
    // The list of the search before has a link too: that of the withdrawals alone is waited for.
    await ada
      .link(/Weekly thrift/)
      .first()
      .waitFor({ state: "detached" });
    await list.getByRole("link").first().waitFor();
    const { name, bytes } = await download(ada, () => ada.button("Download CSV").click());
    expect(name).toBe("adashi-activity.csv");
    const lines = bytes.toString("utf8").trim().split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBe(1 + (await list.getByRole("link").count()));
  });

  it("hands over a PDF statement whose code anybody can verify", async () => {
    const { page } = ada;
    await ada.goes("/dashboard/activity");
    await ada.button("Statement (PDF)").click();
    const modal = page.getByRole("dialog", { name: "Statement of your wallet" });
    await modal.getByLabel("First day").fill(lagosDay());
    const reply = page.waitForResponse(/statement\.pdf/);
    const { name, bytes } = await download(ada, () =>
      modal.getByRole("button", { name: "Download statement" }).click(),
    );
    expect(name).toBe(`adashi-statement-${lagosDay()}-${lagosDay()}.pdf`);
    expect(bytes.subarray(0, 5).toString("latin1")).toBe("%PDF-");
    const code = /adashi-statement-(.+)\.pdf/.exec((await reply).headers()["content-disposition"] ?? "")?.[1] ?? "";
    expect(code).not.toBe("");
    const stranger = await browser.newContext({ baseURL: product.url });
    const paper = await stranger.newPage();
    await paper.goto("/verify-statement");
    await paper.getByLabel("Verification code").fill(code);
    await paper.getByRole("button", { name: "Verify" }).click();
    await paper.getByText("We issued this statement").waitFor();
    await paper.getByText(createHash("sha256").update(bytes).digest("hex")).waitFor();
    await stranger.close();
  });

  it("a code that was never issued is told", async () => {
    await ada.page.goto("/verify-statement/NEVER-ISSUED");
    await ada.sees("We never issued anything with this code");
  });

  it("checks a movement's proof in the browser itself", async () => {
    const { page } = ada;
    await ada.goes("/dashboard/activity");
    await page.locator('a[href^="/dashboard/activity/"]').last().click();
    for (let tries = 0; ; tries++) {
      await ada.button(/^Check (the proof|again)$/).click();
      const verdict = page.getByText(/^Checked/).first();
      const fault = page.getByText("This proof does not hold").first();
      // What has just happened is sealed within seconds.
      const passed = await verdict.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      expect(await fault.isVisible()).toBe(false);
      if (passed) break;
      expect(tries).toBeLessThan(10);
    }
    expect(await page.locator('[data-proof][data-state="failed"]').count()).toBe(0);
    expect(await page.locator('[data-proof][data-state="passed"]').count()).toBeGreaterThanOrEqual(4);
    await picture(ada, "5-proof");
  });

  it("shows no fingerprint that would tell a hidden total, and says who can check", async () => {
    await createSubAccount(ada, group, "Quiet pot", "1,000", { hidden: true });
    await bisi.goes("/dashboard/wallet/");
    await fundByTransfer(bisi, "1,000");
    await seesBalance(bisi, "₦1,000.00");
    await bisi.goes(`/savings/${group}/sub-accounts`);
    await bisi
      .link(/Quiet pot/)
      .first()
      .click();
    await bisi.link(/^Pay/).first().click();
    await bisi.button("Pay ₦1,000.00").click();
    await bisi.link("Make this a standing order").waitFor();
    await bisi.goes("/dashboard/activity");
    await bisi
      .link(/Quiet pot/)
      .first()
      .click();
    await bisi.sees("You can't check this one yourself");
    await bisi.sees(/its proof is here as soon as the owner shows the total/);
    expect(await bisi.button("Check the proof").count()).toBe(0);
    await picture(bisi, "6-withheld");
  });

  it("had the standing order paid on its first day, and pauses, resumes and ends it", async () => {
    const { page } = ada;
    await ada.goes("/dashboard/wallet/");
    // The job pays it by itself, once in 30 s.
    await page.locator('[data-balance] [data-naira="₦62,000.00"]').waitFor({ timeout: 90_000 });
    await ada.button(/^Pause: /).click();
    await page.locator('[data-standing="PAUSED"]').waitFor();
    await ada.button(/^Resume: /).click();
    await ada.button(/^End: /).click();
    await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
    await page.locator('[data-standing="ENDED"]').waitFor();
    await picture(ada, "4-standing-ended");
  });

  it("forgets a card once she means it", async () => {
    await ada.goes("/dashboard/wallet/");
    await ada.button(/^Forget /).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Forget card" }).click();
    await ada.sees(/No card is saved/);
  });

  it("shows what the house owes and holds", async () => {
    await ada.goes("/dashboard/wallet/");
    await ada.link("How we show that your money is there").click();
    await ada.page.getByRole("heading", { name: "Proof of reserves" }).waitFor();
  });

  it("nobody's browser complained", () => {
    expect([...ada.problems, ...bisi.problems]).toEqual([]);
  });
});
