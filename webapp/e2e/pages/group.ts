import type { Person } from "./person";

export async function createGroup(person: Person, name: string, amount: string): Promise<string> {
  const { page } = person;
  await page.goto("/savings");
  await person.link("Create a group").first().click();
  await page.getByLabel("Name of the group").fill(name);
  await page.getByLabel("What are you saving for?").fill("Stock before Christmas");
  await page.getByLabel("Contribution a month").fill(amount);
  await page.getByLabel("How many members at most?").fill("20");
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
  await page.goto(`/savings/${groupId}/sub-accounts`);
  await person.button("New sub-account").click();
  const modal = page.getByRole("dialog");
  await modal.getByRole("textbox", { name: "Name" }).fill(name);
  await modal.getByRole("textbox", { name: "Amount" }).fill(amount);
  if (hidden) await modal.getByText("Members see its total", { exact: true }).click();
  await modal.getByRole("button", { name: "Create sub-account" }).click();
  await modal.waitFor({ state: "hidden" });
  await person.link(new RegExp(name)).waitFor();
}

export async function invitation(person: Person, groupId: string): Promise<string> {
  const { page } = person;
  await page.goto(`/savings/${groupId}`);
  await person.button("Invite people").click();
  const link = ((await page.locator("[data-invitation]").textContent()) ?? "").trim();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  return link;
}

export async function join(person: Person) {
  await person.button("Join the group").click();
  await person.toast("Success", "Congratulations, you have successfully joined the group.");
  await person.sees("You are on the list");
}

/** Approves without reloading: who asked to join shows by itself. */
export async function approve(person: Person, other: Person) {
  await person.button(`Approve ${other.name}`).click();
  await person.button(`Approve ${other.name}`).waitFor({ state: "hidden" });
}

export async function setValidator(person: Person, other: Person) {
  await person.button("Set validator").click();
  const modal = person.page.getByRole("dialog");
  await modal.getByLabel("Member").selectOption({ label: other.name });
  await modal.getByRole("button", { name: "Set validator" }).click();
  await modal.waitFor({ state: "hidden" });
}

export const groupTotal = (person: Person, amount: string) =>
  person.page.locator(`[data-group-total] [data-naira="${amount}"]`);

export const tick = (person: Person, other: Person) =>
  person.page.locator(`[data-member][data-paid="true"][aria-label^="${other.name}"]`);

/** Makes a member an approver, by the call that its screen makes. */
export async function setApprover({ page }: Person, groupId: string, other: Person) {
  const asked = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.goto(`/savings/${groupId}`);
  const headers = { authorization: (await asked).headers().authorization ?? "" };
  const info = await page.request.get(`/api/GroupSavings/GetGroupSavingsInfo/${groupId}`, { headers });
  const members: { userId: string; firstName: string; lastName: string }[] = (await info.json()).returnedObject.members;
  const memberId = members.find(({ firstName, lastName }) => `${firstName} ${lastName}` === other.name)?.userId;
  const set = await page.request.post(`/api/v1/savings/groups/${groupId}/approvers`, { headers, data: { memberId } });
  if (!set.ok()) throw new Error(await set.text());
}
