import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logOut, newcomer, registered } from "./pages/account";
import { choosesWhatIsWrong, searches, stands, standsAt, tells } from "./pages/disputes";
import { chooseFile, pdf, stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import {
  disputeAtTheCounter,
  fundByCard,
  fundByTransfer,
  refusedWithdrawal,
  seesBalance,
  sendToOurAccount,
} from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const WORDS = "I paid by transfer from my Kuda account this morning and it is not in my wallet.";
const QUESTION = "Whose name stands on the slip?";
const ANSWER = "My own: Ngozi Eze.";
const OUTCOME = "The money came without our reference. It is yours, and goes into your wallet today.";

let product: Product;
let browser: Browser;
let ngozi: Person;
let sade: Person;
let uche: Person;
let number: string;
let page: string;

const taken = pictures("disputes");

async function picture(person: Person, name: string) {
  await person.page.evaluate(() => window.scrollTo(0, 0));
  await taken(person, name);
}

/** What the wallet held at the moment that the time machine shows. */
async function held(person: Person, amount: string) {
  await person.page.locator(`[data-account^="wallet:"] [data-naira="${amount}"]`).waitFor();
}

/** Keeps what a person uploads on its way until it is let go. */
async function holdUploads(person: Person) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await person.page.route("**/api/file/profile", async (route) => {
    await gone;
    await route.continue();
  });
  return { letGo };
}

describe("money that is not there, from the member to the desk and back", () => {
  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    ngozi = await newcomer(browser, product.url, { name: "Ngozi Eze", where: "disputes", digit: 4, viewport: PHONE });
    sade = await registered(browser, product.url, { name: "Sade Bello", where: "disputes", digit: 6 });
    uche = await registered(browser, product.url, { name: "Uche Obi", where: "disputes", digit: 7 });
    await ngozi.goes("/dashboard/wallet/");
    await fundByTransfer(ngozi, "2,000");
    await fundByTransfer(ngozi, "1,500");
    await logOut(ngozi);
    await product.grant([
      { email: sade.who.email, role: "Support" },
      { email: uche.who.email, role: "Admin" },
    ]);
    await ngozi.logsIn();
    await sade.logsIn();
    await uche.logsIn();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("has one page that says what a dispute is", async () => {
    await ngozi.goes("/disputes");
    await ngozi.sees(/A dispute is how you tell us/);
    await picture(ngozi, "1-none");
    await ngozi.goes("/support");
    await ngozi.page.getByRole("heading", { name: "There is no page here" }).waitFor();
  });

  it("is looked for first, found among money of nobody, and claimed", async () => {
    await sade.goes("/support");
    await sade.sees("Nothing is open, none is late.");
    await sendToOurAccount(ngozi, "3400.50", "NGOZI EZE");
    await ngozi.goes("/dashboard/wallet/");
    await seesBalance(ngozi, "₦3,500.00");
    await ngozi.link("Something wrong?").click();
    await picture(ngozi, "2-what");
    await choosesWhatIsWrong(ngozi, /I paid and it is not there/);
    // The bank tells of it within seconds.
    await expect.poll(() => searches(ngozi, "3,400.50"), { timeout: 60_000, interval: 1000 }).toBe(1);
    await picture(ngozi, "3-found");
    await ngozi.button(/^Yes, this is mine: /).click();
    await ngozi.sees("You say that this is yours");
    await picture(ngozi, "4-words");
    number = await tells(ngozi, WORDS);
    expect(number).toMatch(/^AD-/);
    await ngozi.sees(/^Somebody takes it by /);
    await ngozi.sees(/^We decide it by /);
    await picture(ngozi, "5-sent");
    await ngozi.link("See your dispute").click();
    await stands(ngozi, "OPEN");
    page = new URL(ngozi.page.url()).pathname;
    await picture(ngozi, "6-open");
  });

  it("is taken by Support, with the member masked", async () => {
    // Their open desk follows by itself.
    await sade.sees("1 is open, 1 waits to be taken, none is late.");
    await picture(sade, "7-desk");
    await sade.link(new RegExp(number)).click();
    await sade.page.locator('[data-find="UNMATCHED"]').getByText("The member says that this is theirs").waitFor();
    expect(await sade.page.getByText("Ngozi", { exact: false }).count()).toBe(0);
    await sade.button("Take it").click();
    await stands(sade, "INVESTIGATING");
    // Her open page follows by itself.
    await stands(ngozi, "INVESTIGATING");
    await sade.button("Show the name").click();
    await sade.page.getByLabel("Reason").fill("To compare it with the slip");
    await sade.page.getByRole("dialog").getByRole("button", { name: "Show the name" }).click();
    await sade.page.locator("[data-member]").getByText("Ngozi Eze").waitFor();
    await picture(sade, "8-case");
  });

  it("opens the time machine by key, steps, and compares two moments", async () => {
    const { keyboard } = sade.page;
    await sade.button(/^The member: /).click();
    await sade.page.locator("[data-replay]").waitFor();
    await held(sade, "₦3,500.00");
    const last = await standsAt(sade);
    await keyboard.press("c");
    const gone = sade.page.locator('[data-difference^="wallet:"][data-by="-1500"]');
    for (let steps = 0; steps < 60 && (await gone.count()) === 0; steps++) {
      const shown = await sade.page.locator("[data-replay]").getAttribute("data-replay");
      await keyboard.press("ArrowLeft");
      await sade.page.locator(`[data-replay]:not([data-replay="${shown}"])`).waitFor();
    }
    await gone.waitFor();
    const before = await standsAt(sade);
    expect(before).toBeLessThan(last);
    await picture(sade, "9-two-moments");
    await keyboard.press("c");
    await held(sade, "₦2,000.00");
    // A link carries position and clock.
    await sade.page.waitForURL(new RegExp(`subject=MEMBER&at=${before}`));
    await sade.page.reload();
    await sade.page.locator("[data-replay]").waitFor();
    expect(await standsAt(sade)).toBe(before);
    await keyboard.press("ArrowRight");
    await held(sade, "₦3,500.00");
    await sade.button("Name it in the outcome").click();
    await picture(sade, "10-time-machine");
    await keyboard.press("?");
    await sade.page.getByRole("dialog", { name: "The time machine by keyboard" }).waitFor();
    await picture(sade, "11-keys");
    await keyboard.press("Escape");
    await sade.page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("tries in the lab what would have followed, had a payment never come", async () => {
    await sade.button("Try it otherwise").click();
    await sade.page.getByRole("radio", { name: /An event never came/ }).check();
    await sade.button("Add this").click();
    await sade.page.locator('[data-edit="ABSENT"]').waitFor();
    await sade.button("Show what would have followed").click();
    await sade.page.locator('[data-line="EDITED"]').first().waitFor();
    await sade.page.locator('[data-difference^="wallet:"][data-by="-1500"]').waitFor();
    await sade.page.locator("[data-kept]").waitFor({ state: "attached" });
    await picture(sade, "12-lab");
  });

  it("asks, and the member answers on her open page", async () => {
    await sade.button("Ask the member").click();
    await sade.page.getByLabel("Your question").fill(QUESTION);
    await sade.button("Send the question").click();
    await stands(sade, "INFO_REQUESTED");
    await ngozi.page.locator("[data-asked]").getByText(QUESTION).waitFor();
    await ngozi.sees(/^The clock stands still until /);
    await picture(ngozi, "12-asked");
    const answer = ngozi.page.getByLabel("Your answer");
    await answer.fill(ANSWER);
    await chooseFile(ngozi, "Add a file", pdf("wrong.pdf"));
    await ngozi.page.locator('[data-file="wrong.pdf"]').waitFor();
    const uploads = await holdUploads(ngozi);
    await chooseFile(ngozi, "Add a file", pdf("slip.pdf"));
    await ngozi.page.getByRole("progressbar", { name: "Sending slip.pdf" }).waitFor();
    expect(await ngozi.button("Send the answer").isDisabled()).toBe(true);
    await ngozi.button("Remove wrong.pdf").click();
    await ngozi.page.locator('[data-file="wrong.pdf"]').waitFor({ state: "detached" });
    uploads.letGo();
    await ngozi.page.locator('[data-file="slip.pdf"]').waitFor();
    expect(await ngozi.page.locator("[data-file]").count()).toBe(1);
    await ngozi.sees("Kept for you, and not sent yet.");
    await ngozi.page.reload();
    await ngozi.page.locator('[data-file="slip.pdf"]').waitFor();
    expect(await answer.inputValue()).toBe(ANSWER);
    await picture(ngozi, "12-ready");
    await ngozi.button("Send the answer").click();
    await stands(ngozi, "INVESTIGATING");
    await ngozi.page.locator('[data-step="ADDED"]').waitFor();
    await sade.sees("Something has happened in this case since you opened it.");
    await taken(sade, "12-news");
    await sade.button("Look again").click();
    await sade.page.locator('[data-step="ANSWERED"]').getByText(ANSWER).waitFor();
  });

  it("decides, and the outcome comes to her open page by itself", async () => {
    await sade.page.getByRole("radio", { name: /The member is right/ }).check();
    await sade.page.getByLabel("What happened, and what was put right").fill(OUTCOME);
    await sade.page.locator("[data-named]").waitFor();
    await picture(sade, "13-decide");
    await sade.button("Decide").click();
    await sade.page.getByRole("dialog").getByRole("button", { name: "Decide" }).click();
    await stands(sade, "RESOLVED_UPHELD");
    await ngozi.page.locator('[data-outcome="RESOLVED_UPHELD"]').getByText(OUTCOME).waitFor();
    await picture(ngozi, "14-outcome");
    await ngozi.goes("/disputes");
    await ngozi.link(new RegExp(number)).waitFor();
    await picture(ngozi, "15-list");
    expect(page).toMatch(/^\/disputes\//);
  });

  it("that was not her freezes her wallet at once, and nothing leaves it", async () => {
    await ngozi.goes("/disputes/new");
    await choosesWhatIsWrong(ngozi, /It was not me/);
    expect(await ngozi.page.getByRole("checkbox", { name: "Freeze my money now" }).isChecked()).toBe(true);
    await picture(ngozi, "16-not-me");
    await tells(ngozi, "Somebody logged in from Abuja last night, and I was asleep in Aba.");
    await ngozi.sees("Your money is frozen: nothing leaves your wallet until you thaw it.");
    await picture(ngozi, "17-frozen-sent");
    await refusedWithdrawal(ngozi, "1,000", /You froze your money/);
    await picture(ngozi, "18-withdraw-refused");
    await ngozi.goes("/dashboard/wallet/");
    await ngozi.page.locator("[data-frozen]").waitFor();
    await seesBalance(ngozi, "₦0.00");
    await picture(ngozi, "19-wallet");
    await ngozi.link("See or thaw it").click();
    await ngozi.page.locator('[data-freeze="frozen"] [data-naira="₦3,500.00"]').waitFor();
    await ngozi.button("Thaw my money").click();
    await stepUp(ngozi);
    await ngozi.sees(/^Your money can be used again from /);
    await picture(ngozi, "20-thawing");
    await ngozi.button("Keep it frozen").click();
    await ngozi.button("Thaw my money").waitFor();
    await ngozi.goes("/dashboard/activity");
    await ngozi.sees("Set aside");
    await picture(ngozi, "21-activity");
  });

  it("a payment that the bank of her card disputes is answered from the case, and she sees it", async () => {
    await ngozi.goes("/dashboard/wallet/");
    await fundByCard(ngozi, "5,000", "₦5,177.67");
    await disputeAtTheCounter(ngozi);
    await sade.goes("/support");
    await sade.sees(/The bank of a card waits for an answer in 1\./);
    await sade.page.locator("[data-case]").filter({ hasText: "Your bank disputes a card payment" }).click();
    await sade.button("Take it").click();
    await stands(sade, "INVESTIGATING");
    await sade.page.locator('[data-bank="NONE"]').waitFor();
    await sade.page.getByRole("radio", { name: /The payment is right/ }).check();
    await picture(sade, "22-bank-answer");
    await sade.button("Answer the bank").click();
    await sade.page.getByText(/The bank takes one answer, and this is it\. No money moves now\./).waitFor();
    await picture(sade, "23-bank-confirm");
    await sade.button("Send the answer").click();
    await stepUp(sade);
    await sade.page.locator('[data-bank="TAKEN"]').waitFor();
    await picture(sade, "24-bank-answered");
    await ngozi.goes("/disputes");
    await ngozi.link(/Your bank disputes a card payment/).click();
    await ngozi.page
      .locator('[data-step="CARD_DECLINED"]')
      .getByText(/This payment is right/)
      .waitFor();
    await picture(ngozi, "25-bank-answered");
  });

  it("money goes back to the bank of her card once an Admin agrees", async () => {
    await ngozi.goes("/dashboard/wallet/");
    await fundByCard(ngozi, "5,000", "₦5,177.67");
    await disputeAtTheCounter(ngozi);
    await sade.goes("/support");
    await sade.sees(/The bank of a card waits for an answer in 1\./);
    await sade.page.locator('[data-case="OPEN"]').filter({ hasText: "Your bank disputes a card payment" }).click();
    await sade.button("Take it").click();
    await sade.page.getByRole("radio", { name: /The payer gets money back/ }).check();
    await sade.page.getByLabel("In words, as the bank reads them").fill("Our customer says that it was not them.");
    await sade.button("Answer the bank").click();
    await sade.page.getByText(/₦5,177\.67 goes back to the payer once an Admin agrees/).waitFor();
    await sade.button("Ask an Admin").click();
    await sade.page.locator('[data-bank="PROPOSED"]').waitFor();
    await picture(sade, "26-bank-proposed");
    await uche.goes(new URL(sade.page.url()).pathname);
    await uche.page.getByRole("button", { name: "Agree", exact: true }).click();
    await uche.page.getByText(/The bank is told at once, and ₦5,177\.67 goes back to the payer/).waitFor();
    await picture(uche, "27-bank-agree");
    await uche.page.getByRole("dialog").getByRole("button", { name: "Agree", exact: true }).click();
    await stepUp(uche);
    await uche.page.locator('[data-bank="ACCEPTED"]').waitFor();
    await picture(uche, "28-bank-accepted");
    await ngozi.goes("/disputes");
    await ngozi
      .link(/Your bank disputes a card payment/)
      .first()
      .click();
    await ngozi.page.locator('[data-step="CARD_ACCEPTED"]').waitFor();
    await stands(ngozi, "RESOLVED_UPHELD");
    await picture(ngozi, "29-bank-accepted");
  });

  it("nobody's browser complained", () => {
    expect([...ngozi.problems, ...sade.problems, ...uche.problems]).toEqual([]);
  });
});
