import type { Person } from "./person";

export async function createGroup(person: Person, name: string, amount: string): Promise<string> {
  const { page } = person;
  await person.goes("/savings");
  await person.link("Create a group").first().click();
  await page.getByLabel("Name of the group").fill(name);
  await page.getByLabel("What are you saving for?").fill("Stock before Christmas");
  await person.button("Continue").click();
  await page.getByLabel("Contribution a month").fill(amount);
  await page.getByLabel("How many members at most?").fill("20");
  await person.button("Continue").click();
  await page.getByText("All members", { exact: true }).click();
  await person.button("Review").click();
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  await person.button("Create group").click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

export async function createSubAccount(
  person: Person,
  groupId: string,
  name: string,
  amount: string,
  { hidden = false } = {},
) {
  const { page } = person;
  await person.goes(`/savings/${groupId}/sub-accounts`);
  await person.button("New sub-account").click();
  const modal = page.getByRole("dialog");
  await modal.getByRole("textbox", { name: "Name" }).fill(name);
  await modal.getByRole("textbox", { name: "Amount" }).fill(amount);
  if (hidden) await modal.getByText("Members see its total", { exact: true }).click();
  await modal.getByRole("button", { name: "Create sub-account" }).click();
  await modal.waitFor({ state: "hidden" });
  await person.link(new RegExp(name)).waitFor();
}

/** Ends on the group's page. */
export async function invitation(person: Person, groupId: string): Promise<string> {
  const { page } = person;
  await person.goes(`/savings/${groupId}?tab=more`);
  await person.link(/^Invite people/).click();
  const link = ((await page.locator("[data-invitation]").textContent()) ?? "").trim();
  await person.goes(`/savings/${groupId}`);
  return link;
}

export async function join(person: Person) {
  await person.button("Join the group").click();
  await person.toast("Success", /^SuccessYou asked to join .+; an approver lets you in\.$/);
  await person.sees("You are on the list");
}

/** Approves without reloading: who asked to join shows by itself. */
export async function approve(person: Person, other: Person) {
  await person.button(`Approve ${other.name}`).click();
  await person.button(`Approve ${other.name}`).waitFor({ state: "hidden" });
}

/** From the list of what the group still needs. */
async function appoint(person: Person, other: Person, office: string) {
  const all = person.button("Show all steps");
  await all.or(person.button("Hide the steps")).waitFor();
  if (await all.isVisible()) await all.click();
  await person.button(office).click();
  const modal = person.page.getByRole("dialog", { name: office });
  await modal.getByLabel("Find the member").fill(other.name);
  await modal.getByText(other.name, { exact: true }).click();
  await modal.getByRole("button", { name: office }).click();
  await modal.waitFor({ state: "hidden" });
}

export const setValidator = (person: Person, other: Person) => appoint(person, other, "Set validator");

export async function setApprover(person: Person, groupId: string, other: Person) {
  await person.goes(`/savings/${groupId}`);
  await appoint(person, other, "Appoint an approver");
}

export const groupTotal = (person: Person, amount: string) =>
  person.page.locator(`[data-group-total] [data-naira="${amount}"]`);

export const tick = (person: Person, other: Person) =>
  person.page.locator(`[data-member][data-paid="true"][aria-label^="${other.name}"]`);
