import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillLogin, registers, signUp, verify } from "./pages/account";
import { codeAt, nextCode } from "./pages/codes";
import {
  bvnState,
  chooseFile,
  drawnPicture,
  fillBank,
  mailedLink,
  openAccount,
  pdf,
  saveBank,
  stepUp,
  verifyBvn,
} from "./pages/people";
import { type Identity, Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { fundByTransfer } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const BANK = "Guaranty Trust Bank";
/** Known to the sandbox bank, and another's. */
const ANOTHERS_BVN = "22222222223";
const digits = (count: number, salt: number) => String(Date.now() * 31 + salt * 7919).slice(-count);

/** What the sandbox bank knows about somebody: opened at its counter. */
async function atTheBank(person: Person, salt: number) {
  const { firstName, lastName } = person.who;
  const account = `1${digits(9, salt)}`;
  const bvn = `2${digits(10, salt)}`;
  await openAccount(person, { firstName, lastName, bank: BANK, account, bvn });
  return { account, bvn };
}

const EXPIRED = "Your session has expired, please log in to continue";
// That the other window is told, not how fast: a busy machine takes its time.
const TOLD_LIMIT_MS = 3000;

const run = Date.now().toString(36);
const identity = (firstName: string, lastName: string, digit: number): Identity => ({
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}.people.${run}@example.com`,
  phone: `081${digit}${String(Date.now()).slice(-7)}`,
  password: `good-${run}-pass`,
});

let product: Product;
let browser: Browser;
const everybody: Person[] = [];

async function arrives(firstName: string, lastName: string, digit: number, viewport?: typeof PHONE): Promise<Person> {
  const person = await Person.arrive(browser, product.url, identity(firstName, lastName, digit), viewport);
  everybody.push(person);
  return person;
}

/** Somebody new, verified and logged in. */
async function member(...as: Parameters<typeof arrives>): Promise<Person> {
  const person = await arrives(...as);
  await registers(person);
  await person.logsIn();
  return person;
}

/** The same person at another machine. */
async function again(person: Person): Promise<Person> {
  const other = await Person.arrive(browser, product.url, { ...person.who });
  everybody.push(other);
  await other.logsIn();
  return other;
}

const snapshot = snapshots("people");
const picture = ({ page }: Person, name: string) => snapshot(page, name);

/** What is said by keyboard alone: Tab until it is there, and then a key. */
async function tabTo(page: Page, name: string, role: "button" | "link" | "textbox" | "combobox" | "checkbox") {
  const wanted = page.getByRole(role, { name, exact: true }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to the ${role} “${name}”.`);
}

describe("people and what is theirs", () => {
  beforeAll(async () => {
    product = await startProduct({ shared: true });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("from the sign-up to a verified BVN", async () => {
    const ada = await arrives("Adaora", "Nwosu", 1, PHONE);
    await signUp(ada, "1990-05-17");
    await verify(ada);
    const { account, bvn } = await atTheBank(ada, 1);
    await ada.goes("/dashboard/profile");
    await ada.link("Go: Verify your BVN").waitFor();
    await ada.link("Go: Add your bank account").click();
    await ada.at(/^\/dashboard\/profile\/edit/);

    const bank = ada.page.locator("#bank");
    await bank.getByLabel("BVN", { exact: true }).fill(bvn);
    await ada.button("Verify BVN").click();
    await ada.sees("Please enter a valid 10-digit bank account number before BVN verification");
    await bank.getByLabel("Account number").fill(account);
    await ada.button("Verify BVN").click();
    await ada.sees("Please select your bank before BVN verification");

    expect(await fillBank(ada, BANK, account)).toMatch(/ADAORA/i);
    await picture(ada, "bank-name-before-saving");
    await saveBank(ada);
    await verifyBvn(ada, ANOTHERS_BVN);
    await ada.toast("Error", "BVN could not be verified. Please try again later");
    await bvnState(ada, "FAILED").waitFor();
    await verifyBvn(ada, bvn);
    await bvnState(ada, "VERIFIED").waitFor();
    await ada.sees("Your BVN has been verified successfully");
    await picture(ada, "bvn-verified");
    await ada.page.reload();
    await bvnState(ada, "VERIFIED").waitFor();
    expect(await ada.page.content()).not.toContain(bvn);
  });

  it("a forgotten password", async () => {
    const bayo = await member("Bayo", "Alabi", 2);
    const elsewhere = await again(bayo);
    await bayo.button("Your account").click();
    await bayo.page.getByRole("menuitem", { name: "Log out" }).click();
    await bayo.at("/login");
    await bayo.link("Forgotten your password?").click();
    await bayo.button("Send the link").waitFor(); // The login has an email too.
    await bayo.page.getByLabel("Email").fill(bayo.who.email);
    await bayo.button("Send the link").click();
    await bayo.page.getByRole("heading", { name: "Check your email" }).waitFor();

    const link = await mailedLink(bayo, "/forgot_password");
    // A scanner opens it first: that spends nothing.
    const scanned = await bayo.page.request.get(link);
    expect(scanned.ok()).toBe(true);
    const old = bayo.who.password;
    bayo.who.password = `new-${run}-pass`;
    await bayo.page.goto(link);
    await bayo.page.getByLabel("New password", { exact: true }).fill(bayo.who.password);
    await bayo.page.getByLabel("New password again").fill(bayo.who.password);
    await bayo.button("Save the new password").click();
    await bayo.at("/login");
    await bayo.sees("Your password is changed and you are logged out everywhere.");
    await elsewhere.at("/login");

    await bayo.page.getByLabel("Email").fill(bayo.who.email);
    await bayo.page.getByLabel("Password", { exact: true }).fill(old);
    await bayo.button("Log in").click();
    await bayo.page.locator("[data-toast]").filter({ hasText: "Error" }).first().waitFor();
    await fillLogin(bayo);
    await bayo.at("/dashboard");

    // The link again: used.
    const late = await Person.arrive(browser, product.url, bayo.who);
    everybody.push(late);
    await late.page.goto(link);
    await late.page.getByLabel("New password", { exact: true }).fill(`third-${run}-pass`);
    await late.page.getByLabel("New password again").fill(`third-${run}-pass`);
    await late.button("Save the new password").click();
    await late.link("Send a new link").waitFor();
    await picture(late, "reset-link-used");
  });

  it("a changed password logs the other window out within a second", async () => {
    const chika = await member("Chika", "Obi", 3);
    const other = await again(chika);
    await other.goes("/savings");
    await other.page.getByRole("heading", { level: 1 }).waitFor();

    await chika.goes("/change_password");
    const next = `changed-${run}-pass`;
    await chika.page.getByLabel("Current password").fill(chika.who.password);
    await chika.page.getByLabel("New password", { exact: true }).fill(next);
    await chika.page.getByLabel("New password again").fill(next);
    const changed = chika.page.waitForResponse(/ChangePassword/).then(() => performance.now());
    const out = other.at("/login").then(() => performance.now());
    await chika.button("Change password").click();
    const late = Math.round((await out) - (await changed));
    console.log(`The other window was at the login ${late} ms after the password was changed.`);
    expect(late).toBeLessThan(TOLD_LIMIT_MS);
    await other.toast("Error", EXPIRED);
    await chika.at("/login");
    await chika.sees("Your password is changed and you are logged out everywhere.");
    chika.who.password = next;
    await fillLogin(chika);
    await chika.at("/dashboard");
  });

  it("a stolen token without its cookie gets nowhere", async () => {
    const dele = await member("Dele", "Ojo", 4);
    const token: string = await dele.page.evaluate(
      () => JSON.parse(localStorage.getItem("adashi") ?? "{}").state.session.token,
    );
    const id: string = await dele.page.evaluate(
      () => JSON.parse(localStorage.getItem("adashi") ?? "{}").state.session.id,
    );
    const cookies = await dele.context.cookies();
    const secret = cookies.find(({ name }) => name.includes("adashi"));
    expect(secret?.httpOnly).toBe(true);
    expect(await dele.page.evaluate(() => document.cookie)).not.toContain("adashi");

    const thief = await browser.newContext({ baseURL: product.url });
    for (const path of ["/api/v1/dashboard", `/api/Account/GetUserInfoById/${id}`, "/api/live"]) {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await thief.request.get(path, { headers });
      expect([path, answer.status()]).toEqual([path, 401]);
    }
    await thief.addInitScript((kept) => localStorage.setItem("adashi", kept), await dele.page.evaluate(kept));
    const page = await thief.newPage();
    await page.goto("/dashboard");
    await page.waitForURL("**/login");
    await thief.close();
    // The cookie without the token is worth as little, and Dele is not disturbed.
    expect((await dele.context.request.get("/api/v1/dashboard")).status()).toBe(401);
    await dele.page.reload();
    await dele.page.getByRole("heading", { name: "Hello, Dele" }).waitFor();
  });

  it("a picture and documents: shown to their owner, kept from others, replaced", async () => {
    const efe = await member("Efe", "Okoro", 5, PHONE);
    await efe.goes("/dashboard/profile/edit");
    await chooseFile(efe, "Change picture", await drawnPicture(efe, "me.png"));
    const crop = efe.page.getByRole("dialog", { name: "Your picture" });
    await crop.getByLabel("Zoom").press("End");
    await picture(efe, "crop");
    await crop.getByRole("button", { name: "Save picture" }).click();
    await crop.waitFor({ state: "hidden" });
    await efe.page.locator("header [data-picture]").waitFor();

    await chooseFile(efe, "Choose a file: utility bill", {
      name: "bill.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg/>"),
    });
    await efe.sees(/not a PDF, JPEG or PNG/);
    await chooseFile(efe, "Choose a file: utility bill", {
      ...pdf("page.pdf"),
      buffer: Buffer.from("<html>no PDF</html>"),
    });
    await efe.button("Upload utility bill").click();
    await efe.page.locator('[data-document="utilityBill"] [role="alert"]').waitFor();
    await efe.button("Leave it").click();

    const reading = efe.page.waitForResponse(/SaveUtilityBill/).then((answer) => answer.json());
    await chooseFile(efe, "Choose a file: utility bill", pdf("light bill.pdf"));
    await efe.sees("light bill.pdf");
    await efe.button("Upload utility bill").click();
    const { returnedObject } = (await reading) as { returnedObject: { utilitybillUrl: string } };
    await efe.button("Replace utility bill").waitFor();
    const download = efe.page.waitForEvent("download");
    await efe.button("Open utility bill").click();
    expect((await download).suggestedFilename()).toBe("utility-bill.pdf");
    await picture(efe, "documents");

    const nosy = await member("Nosa", "Idahosa", 6);
    const status = await nosy.page.evaluate(async (url) => {
      const { token } = JSON.parse(localStorage.getItem("adashi") ?? "{}").state.session;
      return (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status;
    }, returnedObject.utilitybillUrl);
    expect([403, 404]).toContain(status);

    await efe.button("Remove picture").click();
    await efe.page.locator("header [data-picture]").waitFor({ state: "detached" });
  });

  it("notifications arrive live, are read, and are cleared", async () => {
    const funmi = await member("Funmi", "Bello", 7);
    const watching = await again(funmi);
    await funmi.goes("/dashboard/notifications");
    const main = funmi.page.getByRole("main");
    await main.getByRole("heading", { name: "Notifications", level: 1 }).waitFor();

    await watching.goes("/dashboard/wallet/");
    await fundByTransfer(watching, "20,000");
    const told = (person: Person) => person.page.getByRole("main").getByRole("listitem").filter({ hasText: "₦20,000" });
    await told(funmi)
      .getByRole("button", { name: /^Mark as read/ })
      .waitFor();
    expect(Number(await funmi.page.locator("[data-unread]").getAttribute("data-unread"))).toBeGreaterThan(0);
    await picture(funmi, "notifications");

    // Read in one window, it is read in the other, and stays so.
    await watching.goes("/dashboard/notifications");
    await told(watching)
      .getByRole("button", { name: /^Mark as read/ })
      .click();
    await told(watching).locator('[data-read="true"]').waitFor();
    await funmi.page.reload();
    await told(funmi).locator('[data-read="true"]').waitFor();
    const all = funmi.button("Mark all as read");
    if (await all.isEnabled()) await all.click();
    await funmi.sees("You have read everything.");
    await funmi.page.locator("[data-unread]").waitFor({ state: "detached" });

    await funmi.button("Clear all").click();
    await funmi.page.getByRole("dialog").getByRole("button", { name: "Keep them" }).click();
    await funmi.page.getByRole("dialog").waitFor({ state: "hidden" });
    await told(funmi).waitFor();
    await funmi.button("Clear all").click();
    await funmi.page.getByRole("dialog").getByRole("button", { name: "Clear all" }).click();
    await funmi.sees("Nothing new");
    await watching.page.reload();
    await watching.sees("Nothing new");
  });

  it("login in two steps: the app's code, then a recovery code that works once", async () => {
    const gozie = await member("Gozie", "Eze", 8);
    await gozie.goes("/dashboard/security");
    await gozie.button("Set it up").click();
    await stepUp(gozie);
    await gozie.page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    const secret = (await gozie.page.locator("[data-secret]").getAttribute("data-secret")) ?? "";
    const enrolled = codeAt(secret);
    await gozie.page.getByLabel("Six-digit code").fill(enrolled);
    await gozie.button("Turn it on").click();
    const kept = gozie.page.locator("[data-codes] li");
    await kept.nth(9).waitFor();
    const codes = await kept.allTextContents();
    expect(codes).toHaveLength(10);
    await gozie.page.getByLabel("I kept them in a safe place").check();
    await gozie.button("Done").click();
    await gozie.sees("10 recovery codes are left.");

    const elsewhere = await Person.arrive(browser, product.url, gozie.who);
    everybody.push(elsewhere);
    await elsewhere.page.goto("/login");
    await fillLogin(elsewhere);
    const code = elsewhere.page.getByLabel("Code from your authenticator app");
    await code.fill("000000");
    await elsewhere.button("Log in").click();
    await elsewhere.page.locator('input[name="code"][aria-invalid="true"]').waitFor();
    expect(await elsewhere.page.getByLabel("Email").inputValue()).toBe(gozie.who.email);
    await picture(elsewhere, "login-code");
    await code.fill(nextCode(secret, enrolled));
    await elsewhere.button("Log in").click();
    await elsewhere.at("/dashboard");

    for (const works of [true, false]) {
      const again = await Person.arrive(browser, product.url, gozie.who);
      everybody.push(again);
      await again.page.goto("/login");
      await fillLogin(again);
      await again.page.getByLabel("Code from your authenticator app").fill(codes[0] ?? "");
      await again.button("Log in").click();
      if (works) await again.at("/dashboard");
      else await again.page.locator('input[name="code"][aria-invalid="true"]').waitFor();
    }
    await gozie.page.reload();
    await gozie.sees("9 recovery codes are left.");
    await gozie.page.locator('[data-session="other"]').first().waitFor();
    await gozie.button("Log out everywhere else").click();
    await elsewhere.at("/login");
  });

  it("everything by keyboard", async () => {
    const hauwa = await member("Hauwa", "Musa", 9);
    const { page, who } = hauwa;
    const { account, bvn } = await atTheBank(hauwa, 9);
    await page.goto("/dashboard");
    await page.getByRole("heading", { name: "Hello, Hauwa" }).waitFor();
    await tabTo(page, "Your account", "button");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Profile" }).and(page.locator("[data-highlighted]")).waitFor();
    await page.keyboard.press("Enter");
    await hauwa.at("/dashboard/profile");
    await tabTo(page, "Edit profile", "link");
    await page.keyboard.press("Enter");
    await hauwa.at("/dashboard/profile/edit");

    await tabTo(page, "Bank", "combobox");
    await page.keyboard.type(BANK.toLowerCase());
    await page.keyboard.press("Enter");
    await tabTo(page, "Account number", "textbox");
    await page.keyboard.type(account);
    await page.locator("[data-account-name]").waitFor();
    await tabTo(page, "Save this account", "button");
    await page.keyboard.press("Enter");
    await hauwa.button("Save this account").waitFor({ state: "detached" });
    await tabTo(page, "BVN", "textbox");
    await page.keyboard.type(bvn);
    await page.keyboard.press("Enter");
    await bvnState(hauwa, "VERIFIED").waitFor();

    await tabTo(page, "A contribution arrives: By email", "checkbox");
    await page.keyboard.press("Space");
    // Alt and the left arrow, which the browser itself would take.
    await page.evaluate(() => window.history.back());
    const leave = page.getByRole("dialog", { name: "Leave without saving?" });
    await leave.waitFor();
    await page.keyboard.press("Escape");
    await leave.waitFor({ state: "hidden" });
    await hauwa.at("/dashboard/profile/edit");
    await tabTo(page, "A contribution arrives: By email", "checkbox");
    const saved = page.waitForResponse(/UpdateUserSettings/);
    await page.keyboard.press("Enter");
    expect((await saved).ok()).toBe(true);

    await hauwa.goes("/dashboard/security");
    await page.getByRole("heading", { name: "Your data" }).waitFor();
    await tabTo(page, "Download my data", "button");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Please confirm that it is you" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await tabTo(page, "Download my data", "button");
    await page.keyboard.press("Enter");
    await tabTo(page, "Your password", "textbox");
    await page.keyboard.type(who.password);
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    expect((await download).suggestedFilename()).toBe("adashi-my-data.json");
  });

  it("a guardian of a 17-year-old reads what is asked, and consents", async () => {
    const young = await arrives("Ini", "Akpan", 9, PHONE);
    const seventeen = new Date();
    seventeen.setFullYear(seventeen.getFullYear() - 17);
    await signUp(young, seventeen.toISOString().slice(0, 10));
    await verify(young);
    await young.goes("/dashboard/profile/edit");
    const form = young.page.locator("#guardian");
    const guardian = `effiong.people.${run}@example.com`;
    await form.getByLabel("Their full name").fill("Effiong Akpan");
    await form.getByLabel("Their email").fill(guardian);
    await form.getByRole("button", { name: "Ask for consent" }).click();
    await form.getByText("We wrote to Effiong Akpan.").waitFor();

    const parent = await Person.arrive(browser, product.url, { ...young.who, firstName: "Effiong", email: guardian });
    everybody.push(parent);
    await parent.page.goto(await mailedLink(young, "/guardian-consent", guardian));
    await parent.page.getByText("Ini Akpan").first().waitFor();
    await parent.page.getByLabel("Your full name").fill("Somebody Else");
    await parent.button("I consent").click();
    await parent.page.getByText("Please enter your full name, Effiong Akpan, to consent.").first().waitFor();
    await parent.page.getByLabel("Your full name").fill("Effiong Akpan");
    await parent.button("I consent").click();
    await parent.page.getByText("Ini Akpan can contribute now.").waitFor();
    await picture(parent, "guardian-consented");
    await young.page.reload();
    await form.getByText("Effiong Akpan has consented.").waitFor();
  });

  it("an account is closed for ever", async () => {
    const zainab = await member("Zainab", "Musa", 8);
    await zainab.goes("/dashboard/security");
    await zainab.button("Close my account…").click();
    const dialog = zainab.page.getByRole("dialog", { name: "Close your account for ever?" });
    await dialog.getByLabel(`Type ${zainab.who.email} to be sure`).fill(zainab.who.email);
    await dialog.getByRole("button", { name: "Close my account" }).click();
    await stepUp(zainab);
    await zainab.at("/login");
    await zainab.sees("Your account is closed. What the law lets go has been erased.");
    await picture(zainab, "closed");
    await fillLogin(zainab);
    await zainab.page.locator("[data-toast]").filter({ hasText: "Error" }).first().waitFor();
    // The address is free again.
    const again = await Person.arrive(browser, product.url, { ...zainab.who, phone: `0819${digits(7, 1)}` });
    everybody.push(again);
    await signUp(again, "1990-05-17");
  });

  it("nobody's browser complained", () => {
    for (const person of everybody) expect(person.problems, person.name).toEqual([]);
  });
});

const kept = () => localStorage.getItem("adashi") ?? "";
