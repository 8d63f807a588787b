import type { Person } from "./person";

/** Of the house, at the sandbox bank. */
const OUR_ACCOUNT = "1000000010";

const balance = (person: Person, amount: string) => person.page.locator(`[data-balance] [data-naira="${amount}"]`);

export const seesBalance = (person: Person, amount: string) => balance(person, amount).waitFor();

async function start(person: Person, amount: string, channel: "Bank transfer" | "Card") {
  const { page } = person;
  await person.button("Fund wallet").first().click();
  const modal = page.getByRole("dialog", { name: "Fund wallet" });
  await modal.getByLabel("Amount").fill(amount);
  await modal.getByText(channel, { exact: true }).click();
  await modal.getByRole("button", { name: "Continue" }).click();
  return modal;
}

/** Starts a transfer into one's wallet and answers the number of its account; its modal waits for the money. */
export async function startsTransfer(person: Person, amount: string): Promise<string> {
  const modal = await start(person, amount, "Bank transfer");
  await modal.getByRole("button", { name: "Agree and continue" }).click();
  const number = await modal
    .locator("dt", { hasText: "Account number" })
    .locator("xpath=following-sibling::dd[1]")
    .textContent();
  return number?.trim() ?? "";
}

/** Funds by bank transfer: the money is sent from the sandbox bank's counter in another tab. */
export async function fundByTransfer(person: Person, amount: string) {
  const modal = await start(person, amount, "Bank transfer");
  await modal.getByText("None", { exact: true }).waitFor();
  await modal.getByRole("button", { name: "Agree and continue" }).click();
  const number = await modal
    .locator("dt", { hasText: "Account number" })
    .locator("xpath=following-sibling::dd[1]")
    .textContent();
  const counter = await person.context.newPage();
  await counter.goto("/sandbox/");
  const sending = counter.locator('form[action="/sandbox/send"]');
  await sending.getByLabel("Account number", { exact: true }).fill(number?.trim() ?? "");
  await sending.getByLabel("Amount", { exact: true }).fill(amount.replaceAll(",", ""));
  await sending.getByLabel("Sender name").fill(person.name);
  await sending.getByRole("button", { name: "Send money" }).click();
  await counter.waitForLoadState();
  await counter.close();
  await modal.getByText("Payment received").waitFor();
  await modal.getByRole("button", { name: "Done" }).click();
}

/** Chooses the card, or a new one that is kept if asked; `total` is what the review must say before one agrees. */
export async function reviewCard(person: Person, amount: string, total: string, card?: string, save = false) {
  const { page } = person;
  await person.button("Fund wallet").first().click();
  const modal = page.getByRole("dialog", { name: "Fund wallet" });
  await modal.getByLabel("Amount").fill(amount);
  await modal.getByText("Card", { exact: true }).click();
  if (card) await modal.getByText(card, { exact: true }).click();
  if (save) await modal.getByLabel("Save this card for next time").check();
  await modal.getByRole("button", { name: "Continue" }).click();
  await modal.locator(`[data-you-pay] [data-naira="${total}"]`).waitFor();
  return modal;
}

/** Funds by a new card at the card company's page, and keeps it for next time if asked. */
export async function fundByCard(person: Person, amount: string, total: string, { save = false } = {}) {
  const { page } = person;
  const modal = await reviewCard(person, amount, total, undefined, save);
  await modal.getByRole("button", { name: "Agree and continue" }).click();
  await modal.getByRole("link", { name: `Pay ${total} by card` }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await person.at(/^\/dashboard\/wallet\/?\?.*reference=/);
  await person.sees("Payment received");
}

/** Funds by a card that was saved: charged as soon as one agrees, without leaving the page. */
export async function fundBySavedCard(person: Person, amount: string, total: string, card: string) {
  const modal = await reviewCard(person, amount, total, card);
  await modal.getByRole("button", { name: "Agree and pay" }).click();
  await modal.getByText("Payment received").waitFor();
  await modal.getByRole("button", { name: "Done" }).click();
}

/** Asks what withdrawing costs; answers what would arrive, as it is written. */
export async function quoteWithdrawal(person: Person, amount: string): Promise<string> {
  const { page } = person;
  await person.goes("/dashboard/wallet/withdraw");
  await page.getByLabel("How much leaves your wallet?").fill(amount);
  await person.button("See the charges").click();
  const net = page.locator("[data-arrives] [data-naira]");
  await net.waitFor();
  return (await net.getAttribute("data-naira")) ?? "";
}

/** What a withdrawal is refused with, once its charges are asked for. */
export async function refusedWithdrawal(person: Person, amount: string, words: string | RegExp) {
  const { page } = person;
  await person.goes("/dashboard/wallet/withdraw");
  await page.getByLabel("How much leaves your wallet?").fill(amount);
  await person.button("See the charges").click();
  await person.sees(words);
  await person.sees(/Nothing was taken|Nothing has left your wallet/);
}

export const withdrawalState = (person: Person, state: "REQUESTED" | "SENT" | "PAID" | "FAILED" | "REVERSED") =>
  person.page.locator(`[data-withdrawal="${state}"]`);

/** Sends money to the house's own account at the sandbox bank: nobody knows whose it is. */
export async function sendToOurAccount({ context }: Person, amount: string, sender: string) {
  const counter = await context.newPage();
  await counter.goto("/sandbox/");
  const sending = counter.locator('form[action="/sandbox/send"]');
  await sending.getByLabel("Account number", { exact: true }).fill(OUR_ACCOUNT);
  await sending.getByLabel("Amount", { exact: true }).fill(amount);
  await sending.getByLabel("Sender name").fill(sender);
  await sending.getByRole("button", { name: "Send money" }).click();
  await counter.getByText("The money is on its way.").waitFor();
  await counter.close();
}

/** Has the bank of the card dispute the payment that somebody just came back from, at the sandbox bank's counter. */
export async function disputeAtTheCounter({ context, page }: Person) {
  const reference = new URL(page.url()).searchParams.get("reference") ?? "";
  const counter = await context.newPage();
  await counter.goto("/sandbox/");
  const disputing = counter.locator('form[action="/sandbox/disputes"]');
  await disputing.getByLabel("Reference of the disputed payment").fill(reference);
  await disputing.getByRole("button", { name: "Dispute it" }).click();
  await counter.getByText(/of ₦5,177\.67 waits for an answer until/).waitFor();
  await counter.close();
}
