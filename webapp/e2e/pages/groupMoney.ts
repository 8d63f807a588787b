import { stepUp } from "./people";
import type { Person } from "./person";

/** Pays what a friend owes in a sub-account, from one's own wallet. */
export async function covers(person: Person, subAccountId: string, friend: string, amount: string) {
  const { page } = person;
  await person.goes(`/savings/sub-account/${subAccountId}`);
  await person.button("Pay for a friend").click();
  const modal = page.getByRole("dialog", { name: "Pay for a friend" });
  await modal.getByRole("button", { name: friend }).click();
  await modal.getByText(new RegExp(`${friend} owes ${amount}`)).waitFor();
  await modal.getByRole("button", { name: "Review" }).click();
  await modal.getByRole("button", { name: `Pay ${amount}` }).click();
  await modal.getByText("is paid for").waitFor();
  await modal.getByRole("button", { name: "Done" }).click();
}

interface Bill {
  subAccount: string;
  amount: string;
  reason: string;
  bank: string;
  account: string;
  payee: string;
  net: string;
}

/** Asks for a payment of the group; answers the request's id. */
export async function asksToPay(person: Person, groupId: string, bill: Bill): Promise<string> {
  const { page } = person;
  await person.goes(`/savings/${groupId}/liquidation-requests`);
  await person.button("Request fund").click();
  const modal = page.getByRole("dialog", { name: "Request fund" });
  await modal.getByText("A payment of the group", { exact: true }).click();
  await modal.getByLabel("From which sub-account?").selectOption({ label: bill.subAccount });
  await modal.getByLabel("How much?").fill(bill.amount);
  await modal.getByRole("combobox", { name: "The payee's bank" }).fill(bill.bank);
  await modal.getByRole("listbox").getByRole("option").first().click();
  await modal.getByLabel("The payee's account number").fill(bill.account);
  await modal.getByLabel("What is it for?").fill(bill.reason);
  await modal.getByRole("button", { name: "See the charges" }).click();
  await modal.locator("[data-account-name]", { hasText: bill.payee }).waitFor();
  await modal.getByRole("button", { name: `Request ${bill.net}` }).click();
  await stepUp(person);
  await page.waitForURL(/request=/);
  await page.locator('[data-request-status="REQUESTED"]').waitFor();
  return new URL(page.url()).searchParams.get("request") ?? "";
}

export async function opensRequest(person: Person, groupId: string, id: string) {
  await person.goes(`/savings/${groupId}/liquidation-requests?request=${id}`);
  await person.page.locator("[data-request-status]").waitFor();
}

export const requestState = ({ page }: Person, status: string) =>
  page.locator(`[data-request-status="${status}"]`).waitFor({ timeout: 60_000 });

/** Validates or approves the request that is open. */
export async function agrees(person: Person, deed: "Validate" | "Approve") {
  const sheet = person.page.getByRole("dialog", { name: "Request" });
  await sheet.getByRole("button", { name: deed }).click();
  await sheet
    .locator("[data-deed]")
    .getByRole("button", { name: new RegExp(`^${deed}`) })
    .click();
  await stepUp(person);
  await sheet.locator("[data-deed]").waitFor({ state: "hidden" });
}

/** A member's objection to the request that is open, or an approver's answer to those who objected. */
export async function says(person: Person, deed: "Object" | "Answer and let it go on", words: string) {
  const sheet = person.page.getByRole("dialog", { name: "Request" });
  await sheet.getByRole("button", { name: deed }).click();
  const form = sheet.locator("[data-deed]");
  await form.getByRole("textbox").fill(words);
  await form.getByRole("button", { name: deed }).click();
  if (deed !== "Object") await stepUp(person);
  await form.waitFor({ state: "hidden" });
}

/** Validates all that the desk shows, by the keys that it has for it. */
export async function validatesAll(person: Person, groupId: string) {
  const { page } = person;
  await person.goes(`/savings/${groupId}/audit`);
  const first = page.locator("[data-audit]").first();
  await first.waitFor();
  await first.focus();
  await page.keyboard.press("j");
  await page.locator('[data-audit][aria-current="true"]').nth(0).waitFor();
  await page.keyboard.press("v");
  await person.button("Choose all shown").click();
  await page.keyboard.press("v");
  await page.getByRole("dialog").getByRole("button", { name: "Validate" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

export const coverage = ({ page }: Person, percent: number) => page.locator(`[data-coverage="${percent}"]`).waitFor();

/** Leaves, where nothing stands in the way any more. */
export async function leaves(person: Person, groupId: string) {
  const { page } = person;
  await person.goes(`/savings/${groupId}/settings`);
  const section = page.locator("#leave");
  await section.getByRole("button", { name: "Leave the group", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Leave this group?" })
    .getByRole("button", { name: "Leave the group" })
    .click();
  await page.waitForURL(/\/savings$/);
}
