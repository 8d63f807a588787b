import type { Caller } from "./caller";
import { stepUp } from "./people";
import type { Person } from "./person";

/** Founds an ajo; answers its id. */
export async function foundAjo(person: Person, name: string, amount: string, seats: number): Promise<string> {
  const { page } = person;
  await person.goes("/ajo/groups/all");
  await person.button("Start an ajo").click();
  await page
    .getByRole("dialog", { name: "Start an ajo" })
    .getByRole("link", { name: /^Group Ajo/ })
    .click();
  await page.getByLabel("Name of the ajo").fill(name);
  await page.getByLabel("Each hand pays each time").fill(amount);
  await page.getByLabel("How many hands?").fill(String(seats));
  await page.getByLabel("How often").selectOption("Weekly");
  await person.button("Continue").click();
  await page.getByRole("radio", { name: /^As people join/ }).check();
  await person.button("Continue").click();
  await page.locator("[data-preview]").waitFor();
  await person.button("Create the ajo").click();
  await page.waitForURL(/\/ajo\/group\/invite\?ajoId=/);
  return new URL(page.url()).searchParams.get("ajoId") ?? "";
}

/** The invitation link, as it stands on the page where one invites. */
export async function ajoInvitation(person: Person, id: string): Promise<string> {
  await person.goes(`/ajo/group/invite?ajoId=${id}`);
  const text = person.page.locator("[data-invitation]");
  await text.waitFor();
  return (await text.textContent())?.trim() ?? "";
}

export async function joinAjo(person: Person, link: string, hands: RegExp) {
  const { page } = person;
  await page.goto(link);
  await page.getByRole("radio", { name: hands }).check();
  await page.getByLabel("I have read the terms and accept them.").check();
  await person.button("Join the ajo").click();
  await person.toast("Success", "Congratulations, you have successfully joined the group.");
  await person.link("Open the ajo").click();
  await page.locator("[data-ajo-status]").waitFor();
}

/** How the ajo on screen stands. Jobs that run some times a minute begin and complete one. */
export const ajoStatus = ({ page }: Person, status: string) =>
  page.locator(`[data-ajo-status="${status}"]`).waitFor({ timeout: 60_000 });

/** Shows a tab of the ajo on screen. */
export async function ajoTab({ page }: Person, name: "Turns" | "Payments" | "Rules" | "More") {
  await page.getByRole("tab", { name }).click();
}

/** Nobody owes anybody anything in the ajo on screen. */
export async function nobodyOwes(person: Person) {
  await ajoTab(person, "Payments");
  await person.page.locator("[data-my-turn]").waitFor();
  await person.page.getByRole("heading", { name: "Debts" }).waitFor({ state: "detached" });
}

/** The pot of the current cycle holds so many kobo. */
export const potHolds = ({ page }: Person, kobo: number) => page.locator(`[data-pot="${kobo}"]`).waitFor();

export async function paysDue(person: Person, amount: string) {
  await person.button(new RegExp(`^Pay ${amount}: Cycle`)).click();
  const dialog = person.page.getByRole("dialog", { name: `Pay ${amount} from your wallet?` });
  await dialog.getByRole("button", { name: `Pay ${amount}` }).click();
  await dialog.waitFor({ state: "hidden" });
}

export async function requestsPot(person: Person, id: string, cycle: number): Promise<string> {
  const { page } = person;
  await person.goes(`/ajo/${id}/payment-requests?cycle=${cycle}`);
  await person.button("Request payment").click();
  const modal = page.getByRole("dialog", { name: `Request the pot of cycle ${cycle}` });
  const gets = (await modal.locator("[data-you-get] [data-naira]").getAttribute("data-naira")) ?? "";
  await modal.getByRole("button", { name: `Ask for ${gets}` }).click();
  await stepUp(person);
  await modal.waitFor({ state: "hidden" });
  return gets;
}

export async function approvesPot(person: Person, id: string, cycle: number) {
  await person.goes(`/ajo/${id}/payment-requests?cycle=${cycle}`);
  await person.button(`Approve the payout of cycle ${cycle}`).click();
  await person.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
}

/** An ajo by calls, begun, in which its members bid for each turn, unless `order` says otherwise; `first` is the day of its first due. */
export async function begunAjo(
  name: string,
  first: Date,
  owner: Caller,
  others: Caller[],
  order = "BIDDING",
): Promise<string> {
  const [year, month, day] = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(first).split("-");
  const hands = others.length + 1;
  const { id } = await owner.do("POST", "/api/Ajo/CreateExistingGroupAjo", {
    name,
    description: "",
    type: "GROUP",
    amount: 5000,
    duration: hands,
    memberCapacity: hands,
    order,
    startMonthId: Number(month),
    year: Number(year),
    frequency: "WEEKLY",
    dueDay: Number(day),
    email: owner.login.email,
  });
  const { invitationLink } = await owner.do("GET", `/api/Ajo/GetAjoById/${id}`);
  const code = new URL(invitationLink).searchParams.get("code");
  for (const [n, person] of others.entries()) {
    const { termsHash } = await person.do("GET", `/api/Ajo/GetAjoDataById/${id}?code=${code}`);
    const nonce = String(n + 1).padStart(32, "0");
    const body = { ajoId: id, code, hands: "1", termsHash, nonce, email: person.login.email };
    await person.do("POST", "/api/Ajo/JoinAjoGroup", body);
  }
  await owner.do("POST", `/api/v1/ajo/${id}/close`, {});
  return id;
}
