import type { Person } from "./person";

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

/** Funds by bank transfer: the money is sent from the sandbox bank's counter in another tab. */
export async function fundByTransfer(person: Person, amount: string) {
  const modal = await start(person, amount, "Bank transfer");
  await modal.getByText("None", { exact: true }).waitFor();
  await modal.getByRole("button", { name: "Agree and continue" }).click();
  const number = await modal
    .locator("dt", { hasText: "Account number" })
    .locator("xpath=following-sibling::dd")
    .textContent();
  const counter = await person.context.newPage();
  await counter.goto("/sandbox/");
  await counter.getByLabel("Account number", { exact: true }).fill(number?.trim() ?? "");
  await counter.getByLabel("Amount").fill(amount.replaceAll(",", ""));
  await counter.getByLabel("Sender name").fill(person.name);
  await counter.getByRole("button", { name: "Send money" }).click();
  await counter.waitForLoadState();
  await counter.close();
  await modal.getByText("Payment received").waitFor();
  await modal.getByRole("button", { name: "Done" }).click();
}

/** Funds by card: `total` is what the review must say before anything is agreed to. */
export async function fundByCard(person: Person, amount: string, total: string) {
  const { page } = person;
  const modal = await start(person, amount, "Card");
  await modal.locator(`[data-you-pay] [data-naira="${total}"]`).waitFor();
  await modal.getByRole("button", { name: "Agree and continue" }).click();
  await modal.getByRole("link", { name: `Pay ${total} by card` }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await person.at(/^\/dashboard\/wallet\/?\?.*reference=/);
  await person.sees("Payment received");
}
