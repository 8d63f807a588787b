import type { Caller } from "./caller";
import type { Person } from "./person";

/** Founds a group by calls: it is active once it has its validator and an approver besides its owner. */
export async function founds(name: string, owner: Caller, validator: Caller, approver: Caller): Promise<string> {
  const { id } = await owner.do("POST", "/api/GroupSavings/CreateGroupSavings", {
    name,
    description: "",
    amount: 1000,
    memberCapacity: 3,
    startMonthId: 1,
    monthlyDues: false,
    userEmail: owner.login.email,
  });
  for (const person of [validator, approver]) {
    await owner.do("POST", "/api/GroupSavings/AddGroupMember", { groupId: id, email: person.login.email });
    await person.do("POST", `/api/v1/savings/invitations/${id}/accept`);
  }
  await owner.do("POST", `/api/v1/savings/groups/${id}/approvers`, { memberId: approver.id });
  await owner.do("PATCH", "/api/GroupSavings/SetGroupValidator", { groupId: id, memberId: validator.id });
  return id;
}

/** The owner's word at the group's settings. */
export async function closes(person: Person, group: string, deed: "Start closing" | "Close for good", reason: string) {
  const { page } = person;
  await person.goes(`${group}/settings`);
  await person.button(deed).click();
  const ask = page.getByRole("dialog", { name: "Close this group?" });
  await ask.getByLabel("Reason").fill(reason);
  await ask.getByRole("button", { name: deed }).click();
  await ask.waitFor({ state: "hidden" });
}

/** An Admin's word on a group, at the operators' page. */
export async function judges(person: Person, group: string, word: "Suspend" | "Resume", reason: string) {
  const { page } = person;
  await person.goes("/operator");
  await page.getByLabel("The group's number or the address of its page").fill(person.url + group);
  await page.getByText(word, { exact: true }).click();
  await page.getByLabel("Reason, told to the group").fill(reason);
  await person.button("Continue").click();
  await page.getByRole("dialog").getByRole("button", { name: word }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}
