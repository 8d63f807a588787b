import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller } from "./pages/caller";
import { mailedLink } from "./pages/people";
import { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const picture = pictures("newcomer");
/** To open a link, to tap, to begin to type: each is one. */
const TAPS_MAX = 20;
const TIME_MAX_MS = 180_000;

let product: Product;
let browser: Browser;
let owner: Caller;
let groupId: string;
let link: string;
let taps = 0;

const tap = async (what: Locator) => {
  taps++;
  await what.click();
};
const types = async (what: Locator, text: string) => {
  taps++;
  await what.fill(text);
};
const opens = async (person: Person, address: string) => {
  taps++;
  await person.page.goto(address);
};

const who = {
  firstName: "Ngozi",
  lastName: "Umeh",
  email: `ngozi.${Date.now()}@example.com`,
  phone: `0901${String(Date.now()).slice(-7)}`,
  password: "good-enough-pass",
};

/** The same person, with another browser that has seen nothing of the first. */
const arrives = () => Person.arrive(browser, product.url, who, PHONE);

describe("somebody new who is invited", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    if (!product.login) throw new Error("The demo has no login.");
    owner = await Caller.logIn(product.url, product.login);
    const groups = await owner.do("GET", `/api/GroupSavings/GetUserGroupSavings/${owner.id}`);
    const group = groups.find(({ name }: { name: string }) => name === "Yaba Tech Cooperative");
    groupId = group.id;
    link = (await owner.do("GET", `/api/GroupSavings/GetGroupSavingsInfo/${groupId}`)).invitationLink;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("reads the mail in another browser, joins, and pays the first due", async () => {
    const began = Date.now();
    const first = await arrives();
    const { page } = first;
    await opens(first, link);
    await tap(first.link("Create an account"));
    await types(page.getByLabel("First name"), who.firstName);
    await types(page.getByLabel("Last name"), who.lastName);
    await types(page.getByLabel("Email"), who.email);
    await types(page.getByLabel("Phone number"), who.phone);
    await types(page.getByLabel("Date of birth"), "1990-05-17");
    await types(page.getByLabel("Password", { exact: true }), who.password);
    await picture(first, "1-signs-up");
    await tap(first.button("Create account"));
    await page.getByRole("heading", { name: "Check your email" }).waitFor();

    const second = await arrives();
    await opens(second, await mailedLink(second, "/verifyMail"));
    await types(second.page.getByLabel("Password you chose at sign-up"), who.password);
    await tap(second.button("Verify my email"));
    await second.at(new URL(link).pathname + new URL(link).search);
    await picture(second, "2-is-back-at-the-invitation");
    await tap(second.button("Join the group"));
    await second.sees("You are on the list");
    const { members } = await owner.do("GET", `/api/GroupSavings/pending-group-savings/${groupId}`);
    const asks = members.find(({ member }: { member: { firstName: string } }) => member.firstName === who.firstName);
    await owner.do("PATCH", "/api/GroupSavings/ApproveGroupMember", { groupId, memberId: asks.member.userId });
    await second.sees("You are in");
    await tap(second.link("Open the group"));
    await tap(second.link("Home"));
    const due = second.page.locator('[data-kind="GROUP_DUE"]').first();
    await due.waitFor();
    await picture(second, "3-owes-the-first-due");
    await tap(due.getByRole("link"));
    await picture(second, "4-pays");
    await tap(second.button("Pay ₦10,000.00"));
    await picture(second, "5-sends-the-money");
    const account = second.page.locator("dt", { hasText: "Account number" }).locator("xpath=following-sibling::dd[1]");
    await second.context.request.post("/sandbox/send", {
      form: { account: (await account.textContent())?.trim() ?? "", amount: "10000", sender: second.name },
    });
    await second.sees("₦10,000.00 is in Monthly dues.");
    await picture(second, "6-has-paid");
    expect(taps).toBeLessThanOrEqual(TAPS_MAX);
    expect(Date.now() - began).toBeLessThan(TIME_MAX_MS);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });
});
