import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller } from "./pages/caller";
import { closes, founds, judges } from "./pages/offices";
import { chooseFile, pdf } from "./pages/people";
import { Person } from "./pages/person";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const GROUP = "Yaba Tech Cooperative";
/** Long enough that an owner who has not come since is away. */
const MONTH_AGO = "-745h";

let product: Product;
let browser: Browser;
let amaka: Person;
let sade: Person;
let group = "";
const screens: Person[] = [];

const arrives = async (firstName: string, lastName: string, viewport?: { width: number; height: number }) => {
  const person = await Person.arrive(
    browser,
    product.url,
    {
      firstName,
      lastName,
      email: `${firstName.toLowerCase()}@demo.adashi.example`,
      phone: "",
      password: product.login?.password ?? "",
    },
    viewport,
  );
  await person.logsIn();
  screens.push(person);
  return person;
};
const leaves = async (...people: Person[]) => {
  for (const { context } of people) await context.close();
};

const row = (person: Person, name: string) => person.page.getByRole("button", { name: `See ${name}` });
const dialog = (person: Person, name: string) => person.page.getByRole("dialog", { name });

/** The group of the demo and its people, one invited by the owner on another's screen. */
describe("people of a group come, act and go", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: MONTH_AGO });
    await product.grant([{ email: "ladi@demo.adashi.example", role: "Admin" }]);
    browser = await openBrowser();
    amaka = await arrives("amaka", "Okafor");
    sade = await arrives("sade", "Coker", PHONE);
    await amaka.goes("/savings");
    const card = amaka.page.locator('main a[href^="/savings/"]:has(h3)', { hasText: GROUP });
    group = (await card.getAttribute("href")) ?? "";
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("the owner adds a member, who finds the invitation and accepts it", async () => {
    await amaka.goes(`${group}/members`);
    await amaka.button("Add member").click();
    const add = dialog(amaka, "Add a member");
    await add.getByLabel("Their email").fill(sade.who.email);
    await add.getByRole("button", { name: "Invite" }).click();
    await add.waitFor({ state: "hidden" });
    await amaka.button("Invited, 1").click();
    await amaka.sees(sade.who.email); // As it was typed, and no name.

    await sade.goes("/savings");
    await sade.button(`Accept: ${GROUP}`).click();
    await sade.page.locator('main a[href^="/savings/"]:has(h3)', { hasText: GROUP }).waitFor();
    await amaka.button(/^Active$/).click();
    await row(amaka, "Sade Coker").waitFor();
  });

  it("is deactivated with a reason, sees what that means, and is made active again from the list", async () => {
    await sade.goes(group);
    await sade.page.getByText(/ paid in [A-Z]/).waitFor();
    await row(amaka, "Sade Coker").click();
    const view = dialog(amaka, "Sade Coker");
    await view.getByRole("button", { name: "Deactivate" }).click();
    await view.getByLabel("Reason").fill("Away for a year.");
    await view.getByRole("button", { name: "Deactivate" }).click();
    await view.waitFor({ state: "hidden" });
    await sade.sees("You are inactive in this group");

    await amaka.goes(`${group}/members?status=INACTIVE`);
    await amaka.page.getByLabel("Select all shown").check();
    await amaka.button("Reactivate 1").click();
    const results = dialog(amaka, "How it went");
    await results.getByText("1 member was changed.").waitFor();
    await results.getByRole("button", { name: "Close" }).last().click();
    await sade.page.getByText(/ paid in [A-Z]/).waitFor();
  });

  it("the owner hides the total, and it goes from the other's open page", async () => {
    await sade.page.locator("[data-group-total] [data-naira]").waitFor();
    await amaka.goes(`${group}/settings`);
    await amaka.button("Hide from members: The group's total").click();
    await amaka.button("Show to members: The group's total").waitFor();
    await sade.page.locator("[data-group-total]", { hasText: "Hidden by the owner" }).waitFor();
  });

  it("a document of the owner's is there for the other to open", async () => {
    const id = group.split("/").at(-1);
    await amaka.goes(`/savings/documents?group=${id}`);
    await chooseFile(amaka, "Choose a file", pdf("constitution.pdf"));
    await amaka.page.getByLabel("What is it called?").fill("Constitution 2026");
    await amaka.button("Upload document").click();
    await amaka.button("Open Constitution 2026").waitFor();

    await sade.goes("/savings/documents");
    const came = sade.page.waitForEvent("download");
    await sade.button("Open Constitution 2026").click();
    await (await came).path();
    await amaka.button("Remove Constitution 2026").click();
    await dialog(amaka, "Remove this document?").getByRole("button", { name: "Remove" }).click();
    await amaka.sees("No documents yet");
  });

  it("invitations go by mail, and the owner offers the group and takes the offer back", async () => {
    await amaka.goes(`/savings/group/invite?group=${group.split("/").at(-1)}`);
    await amaka.page.getByLabel("Email addresses").fill("one@example.com, two@example.com");
    await amaka.button("Send 2 invitations").click();
    await amaka.sees("2 invitations are on their way.");

    await amaka.goes(`${group}/settings`);
    await amaka.button("Offer ownership").click();
    await dialog(amaka, "Offer this group to Chidi Eze?").getByRole("button", { name: "Offer ownership" }).click();
    await amaka.button("Take the offer back").click();
    await amaka.button("Offer ownership").waitFor();
  });

  it("who owes something is told so, and can't leave before it is settled", async () => {
    await sade.goes(`${group}/settings`);
    const leave = sade.page.locator("#leave");
    await leave.getByText("What stands in the way").waitFor();
    await leave.locator('[data-naira="₦10,000.00"]').first().waitFor();
    expect(await leave.getByRole("button", { name: /^Leave/ }).count()).toBe(0);
  });

  it("the last approver besides the owner cannot be removed", async () => {
    await amaka.goes(`${group}/settings`);
    await amaka.button(/^Remove as approver: /).click();
    await amaka.page.getByRole("dialog").getByRole("button", { name: "Remove as approver" }).click();
    await amaka.toast("Error", /approver/);
    await amaka.page.keyboard.press("Escape");
  });

  it("an Admin suspends a group and lifts it again, and a member's open page follows", async () => {
    const pay = sade.link(/^Pay /);
    await sade.goes(group);
    await pay.first().waitFor();
    const ladi = await arrives("ladi", "Danjuma");
    await judges(ladi, group, "Suspend", "A complaint is looked into.");
    await sade.sees("This group is suspended");
    await sade.sees("Reason: A complaint is looked into.");
    expect(await pay.count()).toBe(0);
    await sade.goes(`${group}/unsettled-payments`);
    await sade.page.locator("[data-owed]").waitFor();
    expect(await pay.count()).toBe(0);
    await judges(ladi, group, "Resume", "It came to nothing.");
    await pay.first().waitFor();
    await leaves(ladi);
  });

  it("an approver accepts the group that its owner offers, and the old owner stays an approver", async () => {
    await amaka.goes(`${group}/settings`);
    await amaka.button("Offer ownership").click();
    await dialog(amaka, "Offer this group to Chidi Eze?").getByRole("button", { name: "Offer ownership" }).click();
    await amaka.sees("Offered to Chidi Eze, who has not answered yet.");
    const chidi = await arrives("chidi", "Eze", PHONE);
    await chidi.goes(group);
    await chidi.link("See the offer").click();
    await chidi.button("Accept ownership").click();
    await dialog(chidi, "Become the owner of this group?").getByRole("button", { name: "Accept ownership" }).click();
    await chidi.button("Offer ownership").waitFor();
    await amaka.sees("Only the owner can offer the group to somebody else.");
    await amaka.button("Step down as approver").waitFor();
    expect(await amaka.button("Start closing").count()).toBe(0);
    await leaves(chidi);
  });

  it("a group that still holds money can be closing and not closed; one that holds nothing closes", async () => {
    const chidi = await arrives("chidi", "Eze");
    await closes(chidi, group, "Start closing", "The workshop is built.");
    await sade.goes(group);
    await sade.sees("This group is closing");
    await sade.sees("Reason: The workshop is built.");
    expect(await sade.link(/^Pay /).count()).toBe(0);
    await chidi.button("Close for good").click();
    const ask = dialog(chidi, "Close this group?");
    await ask.getByLabel("Reason").fill("It is over.");
    await ask.getByRole("button", { name: "Close for good" }).click();
    await chidi.toast("Error", "₦");
    await leaves(chidi);

    const password = product.login?.password ?? "";
    const [owner, validator, approver] = await Promise.all(
      ["amaka", "bisi", "chidi"].map((name) =>
        Caller.logIn(product.url, { email: `${name}@demo.adashi.example`, password }),
      ),
    );
    if (!owner || !validator || !approver) throw new Error("Three found a group.");
    const small = `/savings/${await founds("Library committee", owner, validator, approver)}`;
    await closes(amaka, small, "Start closing", "The library has opened.");
    await amaka.sees("This group is closed");
    await amaka.goes("/savings/user/all");
    await amaka.page.getByLabel("Status").selectOption("CLOSED");
    await amaka.link(/Library committee/).waitFor();
  });

  it("after 30 days without the owner the approver and the validator give the group to another", async () => {
    await leaves(amaka, sade);
    await product.moveTo("0s");
    const jide = await arrives("jide", "Afolabi");
    await jide.goes("/savings");
    await jide
      .link(/Mile 12 Market Women/)
      .first()
      .click();
    await jide.link("Choose who takes over").click();
    await jide.button("Propose").click();
    await jide.sees("Jide Afolabi has 1 of 2 votes.");
    const ife = await arrives("ife", "Ogunleye", PHONE);
    await ife.goes(new URL(jide.page.url()).pathname.replace("/settings", ""));
    await ife.link("See the vote").click();
    await ife.button(/^Agree$/).click();
    await ife.page.locator("#succession").waitFor({ state: "detached" });
    await jide.button("Offer ownership").waitFor();
    await jide.page.getByRole("heading", { name: "Close the group" }).waitFor();
    await leaves(jide, ife);
  });

  it("nobody's browser complained", () => {
    for (const person of screens) expect(person.problems, person.name).toEqual([]);
  });
});
