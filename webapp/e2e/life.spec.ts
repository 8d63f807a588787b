import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "./pages/account";
import { chooseFile, pdf } from "./pages/people";
import { Person } from "./pages/person";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const GROUP = "Yaba Tech Cooperative";

let product: Product;
let browser: Browser;
let amaka: Person;
let sade: Person;
let group = "";

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
  await logIn(person);
  return person;
};

const row = (person: Person, name: string) => person.page.getByRole("button", { name: `See ${name}` });
const dialog = (person: Person, name: string) => person.page.getByRole("dialog", { name });

/** The group of the demo and its people, one invited by the owner on another's screen. */
describe("people of a group come, act and go", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    amaka = await arrives("amaka", "Okafor");
    sade = await arrives("sade", "Coker", PHONE);
    await amaka.page.goto("/savings");
    const card = amaka.page.locator('main a[href^="/savings/"]:has(h3)', { hasText: GROUP });
    group = (await card.getAttribute("href")) ?? "";
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("the owner adds a member, who finds the invitation and accepts it", async () => {
    await amaka.page.goto(`${group}/members`);
    await amaka.button("Add member").click();
    const add = dialog(amaka, "Add a member");
    await add.getByLabel("Their email").fill(sade.who.email);
    await add.getByRole("button", { name: "Invite" }).click();
    await add.waitFor({ state: "hidden" });
    await amaka.button("Invited, 1").click();
    await row(amaka, "Sade Coker").waitFor();

    await sade.page.goto("/savings");
    await sade.button(`Accept: ${GROUP}`).click();
    await sade.page.locator('main a[href^="/savings/"]:has(h3)', { hasText: GROUP }).waitFor();
    await amaka.button(/^Active$/).click();
    await row(amaka, "Sade Coker").waitFor();
  });

  it("is deactivated with a reason, sees what that means, and is made active again from the list", async () => {
    await sade.page.goto(group);
    await sade.page.getByRole("heading", { name: "This month" }).waitFor();
    await row(amaka, "Sade Coker").click();
    const view = dialog(amaka, "Sade Coker");
    await view.getByRole("button", { name: "Deactivate" }).click();
    await view.getByLabel("Reason").fill("Away for a year.");
    await view.getByRole("button", { name: "Deactivate" }).click();
    await view.waitFor({ state: "hidden" });
    await sade.sees("You are inactive in this group");

    await amaka.page.goto(`${group}/members?status=INACTIVE`);
    await amaka.page.getByLabel("Select all shown").check();
    await amaka.button("Reactivate 1").click();
    const results = dialog(amaka, "How it went");
    await results.getByText("1 member was changed.").waitFor();
    await results.getByRole("button", { name: "Close" }).last().click();
    await sade.page.getByRole("heading", { name: "This month" }).waitFor();
  });

  it("the owner hides the total, and it goes from the other's open page", async () => {
    await sade.page.locator("[data-group-total] [data-naira]").waitFor();
    await amaka.page.goto(`${group}/settings`);
    await amaka.button("Hide from members: The group's total").click();
    await amaka.button("Show to members: The group's total").waitFor();
    await sade.page.locator("[data-group-total]", { hasText: "Hidden by the owner" }).waitFor();
  });

  it("a document of the owner's is there for the other to open", async () => {
    const id = group.split("/").at(-1);
    await amaka.page.goto(`/savings/documents?group=${id}`);
    await chooseFile(amaka, "Choose a file", pdf("constitution.pdf"));
    await amaka.page.getByLabel("What is it called?").fill("Constitution 2026");
    await amaka.button("Upload document").click();
    await amaka.button("Open Constitution 2026").waitFor();

    await sade.page.goto("/savings/documents");
    const came = sade.page.waitForEvent("download");
    await sade.button("Open Constitution 2026").click();
    await (await came).path();
    await amaka.button("Remove Constitution 2026").click();
    await dialog(amaka, "Remove this document?").getByRole("button", { name: "Remove" }).click();
    await amaka.sees("No documents yet");
  });

  it("invitations go by mail, and the owner offers the group and takes the offer back", async () => {
    await amaka.page.goto(`/savings/group/invite?group=${group.split("/").at(-1)}`);
    await amaka.page.getByLabel("Email addresses").fill("one@example.com, two@example.com");
    await amaka.button("Send 2 invitations").click();
    await amaka.sees("2 invitations are on their way.");

    await amaka.page.goto(`${group}/settings`);
    await amaka.button("Offer ownership").click();
    await dialog(amaka, "Offer this group to Chidi Eze?").getByRole("button", { name: "Offer ownership" }).click();
    await amaka.button("Take the offer back").click();
    await amaka.button("Offer ownership").waitFor();
  });

  it("who owes something is told so, and can't leave before it is settled", async () => {
    await sade.page.goto(`${group}/settings`);
    const leave = sade.page.locator("#leave");
    await leave.getByText("What stands in the way").waitFor();
    await leave.locator('[data-naira="₦10,000.00"]').first().waitFor();
    expect(await leave.getByRole("button", { name: /^Leave/ }).count()).toBe(0);
  });

  it("the last approver besides the owner cannot be removed", async () => {
    await amaka.page.goto(`${group}/settings`);
    await amaka.button(/^Remove as approver: /).click();
    await amaka.page.getByRole("dialog").getByRole("button", { name: "Remove as approver" }).click();
    await amaka.toast("Error", /approver/);
    await amaka.page.keyboard.press("Escape");
  });

  it("nobody's browser complained", () => {
    for (const person of [amaka, sade]) expect(person.problems, person.name).toEqual([]);
  });
});
