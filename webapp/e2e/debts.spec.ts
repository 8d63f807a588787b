import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller } from "./pages/caller";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { fundByCard, fundByTransfer, seesBalance } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const picture = pictures("debts");

let product: Product;
let browser: Browser;
let amaka: Caller;
let phone: Person;
let femi: Person;
let sade: Person;
const screens: Person[] = [];

async function demo(name: string) {
  const email = `${name}@demo.adashi.example`;
  return Caller.logIn(product.url, { email, password: product.login?.password ?? "" });
}

async function atScreen(caller: Caller, viewport?: typeof PHONE) {
  const person = await caller.atScreen(browser, viewport);
  screens.push(person);
  return person;
}

/** All that is in the wallet goes into a group of theirs. */
async function spendsAll() {
  const { balance } = await amaka.do("GET", `/api/Wallet/get-user-balance?email=${amaka.login.email}`);
  const groups = await amaka.do("GET", `/api/GroupSavings/GetUserGroupSavings/${amaka.id}`);
  const accounts: { id: string; paymentType: string }[] = [];
  for (const { id } of groups) {
    accounts.push(...(await amaka.do("GET", `/api/GroupSavings/GetGroupSubAccounts/${id}`)).SubAccounts);
  }
  const subAccountId = accounts.find(({ paymentType }) => paymentType === "FLEXIBLE")?.id;
  await amaka.do("POST", "/api/Wallet/make-payment-with-wallet", { amount: balance, subAccountId, userId: amaka.id });
}

const owed = ({ page }: Person) => page.locator("[data-debt]");

describe("what a card's bank takes back of money that was used", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    await product.grant([
      { email: "kemi@demo.adashi.example", role: "FinanceOps" },
      { email: "ladi@demo.adashi.example", role: "FinanceOps" },
    ]);
    amaka = await demo("amaka");
    phone = await atScreen(amaka, PHONE);
    femi = await atScreen(await demo("kemi"));
    sade = await atScreen(await demo("ladi"));
  });
  afterAll(async () => {
    expect(screens.flatMap(({ problems }) => problems)).toEqual([]);
    await browser?.close();
    await product?.stop();
  });

  it("is owed by its member, whose wallet says so by itself", async () => {
    await phone.goes("/dashboard/wallet/");
    await fundByCard(phone, "5,000", "₦5,177.67");
    const reference = new URL(phone.page.url()).searchParams.get("reference") ?? "";
    await spendsAll();
    await seesBalance(phone, "₦0.00");
    await fetch(`${product.url}/sandbox/take-back`, {
      method: "POST",
      body: new URLSearchParams({ reference, dispute: "1" }),
      redirect: "manual",
    });
    const note = phone.page.locator("[data-owed]");
    await note.getByText("You owe ₦5,000.00: all money that comes in pays it first").waitFor();
    await picture(phone, "1-owes");
    await phone.goes("/dashboard/notifications");
    await picture(phone, "2-told");
    await phone.goes("/dashboard/activity");
    await phone.page
      .getByText(/₦5,000\.00/)
      .first()
      .waitFor();
    await picture(phone, "3-activity");
  });

  it("keeps money from leaving for a bank meanwhile, and says why", async () => {
    await phone.goes("/dashboard/wallet/withdraw");
    await phone.page
      .locator("[data-owed]")
      .getByText(/nothing goes to your bank/)
      .waitFor();
    await picture(phone, "4-withdraw");
  });

  it("is paid first by money that comes in", async () => {
    await phone.goes("/dashboard/wallet/");
    await fundByTransfer(phone, "2,000");
    await phone.page.getByText("You owe ₦3,000.00: all money that comes in pays it first").waitFor();
    await seesBalance(phone, "₦0.00");
    await picture(phone, "5-part");
  });

  it("stands on the finance desk, where one proposes a write-off and another agrees", async () => {
    await femi.goes("/finance?tab=debts");
    await owed(femi).locator('[data-naira="₦3,000.00"]').waitFor();
    await picture(femi, "6-desk");
    await femi.button(/^Propose a write-off/).click();
    const why = femi.page.getByRole("dialog", { name: "Should Adashi bear this?" });
    await why.getByLabel("Why").fill("Her card was cloned, and the police have the case.");
    await why.getByRole("button", { name: "Propose a write-off" }).click();
    await why.waitFor({ state: "hidden" });
    await femi.button(/^Take it back/).waitFor();
    expect(await femi.button(/^Write it off/).count()).toBe(0);
    await sade.goes("/finance?tab=debts");
    await sade.button(/^Write it off/).click();
    const sure = sade.page.getByRole("dialog", { name: "Write this debt off?" });
    await picture(sade, "7-sure", sure);
    await sure.getByRole("button", { name: "Write it off" }).click();
    await sade.sees("Nobody owes us");
    await phone.page.locator("[data-owed]").waitFor({ state: "detached" });
    await picture(phone, "8-free");
  });
});
