import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OURS } from "./browse.mjs";
import { findings } from "./pages/axe";
import { stepUp } from "./pages/people";
import { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere } from "./screens.mjs";

let product: Product;
let browser: Browser;
let ife: Person;
let owner: Person;
let months: string;

const picture = pictures("months");
const october = ({ page }: Person) => page.locator("[data-month]").first();

async function arrives(firstName: string) {
  const email = `${firstName.toLowerCase()}@demo.adashi.example`;
  const who = { firstName, lastName: "", email, phone: "", password: product.login?.password ?? "" };
  const person = await Person.arrive(browser, product.url, who);
  await person.logsIn();
  return person;
}

/** Nothing for axe, and nothing that sticks out, on the narrowest, a phone and a desk. */
async function isFineForEverybody({ page }: Person) {
  for (const size of [{ width: 360, height: 740 }, PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    expect(await findings(page), String(size.width)).toEqual([]);
  }
}

/** Marks all of the sample that somebody may mark. */
async function looksAtTheSample(person: Person) {
  await person.goes(months);
  await person.link("Look at the sample").click();
  await person.page.locator("[data-audit]").first().waitFor();
  await person.button(/^Choose all/).click();
  await person.button("Validate").first().click();
  await person.page.getByRole("dialog").getByRole("button", { name: "Validate" }).click();
  await person.toast("Success", /validated/);
}

describe("a month is closed by a draw that nobody chooses", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: "-10m" });
    browser = await openBrowser();
    ife = await arrives("Ife");
  });
  afterAll(async () => {
    expect([...(ife?.problems ?? []), ...(owner?.problems ?? [])]).toEqual([]);
    await browser?.close();
    await product?.stop();
  });

  it("1 · the validator seals its list", async () => {
    await ife.goes("/savings");
    await ife
      .link(/Mile 12 Market Women/)
      .first()
      .click();
    await ife.button(/^Checked/).click();
    await ife.link("Closed months").click();
    await ife.at(/^\/months\//);
    months = new URL(ife.page.url()).pathname;
    await allThere(ife.page);
    await picture(ife, "1-to-close");
    await isFineForEverybody(ife);
    await ife.button("Seal the list").click();
    await ife.sees(/nobody knows it before/);
    await picture(ife, "2-sealed");
    await isFineForEverybody(ife);
  });

  it("2 · the round of the beacon draws the sample", async () => {
    await product.moveTo("0s");
    await ife.goes(months);
    await ife.sees(/are not marked yet/);
    await picture(ife, "3-drawn");
    await isFineForEverybody(ife);
    await ife.goes("/dashboard/notifications");
    await ife.sees("Waits for you: a sample");
    await ife.goes("/audit?queue=SAMPLE");
    await ife.page
      .locator("[data-evidence]:visible")
      .getByText(/In the sample of/)
      .waitFor();
    await picture(ife, "4-queue");
    await isFineForEverybody(ife);
  });

  it("3 · it is looked at, the validator's own payments by the owner", async () => {
    await looksAtTheSample(ife);
    await picture(ife, "5-desk");
    owner = await arrives("Halima");
    await looksAtTheSample(owner);
    await ife.goes(months);
    await ife.sees(/of the sample are marked/);
    await ife.button(/^Close /).click();
    await ife.page.locator("[data-statement]").waitFor();
    await picture(ife, "6-to-sign");
    await isFineForEverybody(ife);
    await ife.page.setViewportSize(PHONE);
    await ife.button("Sign and close").click();
    await stepUp(ife);
    await ife.sees(/looked at, none wrong/);
    await october(ife).locator("[data-signed]").waitFor();
    await ife.sees(/Ife Ogunleye’s (phone|tablet|computer)/);
    await picture(ife, "6-closed");
    await isFineForEverybody(ife);
  });

  it("4 · every member draws it again", async () => {
    const member = await arrives("Amaka");
    await member.goes(months);
    await member.sees(/looked at, none wrong/);
    await member.button(/^Check the draw/).click();
    await member.sees("The steps are right, of a test beacon");
    expect(await october(member).locator("[data-step=ok]").count()).toBe(7);
    await member.sees(/signed what is attested/);
    const key = await october(member).locator("[data-signed]").getAttribute("data-signed");
    await picture(member, "7-checked");
    await isFineForEverybody(member);
    expect(member.problems).toEqual([]);

    // A byte is changed on the way to the browser.
    await member.page.route("**/draw?month=*", async (route) => {
      const answer = await (await route.fetch()).json();
      answer.returnedObject.attestation.validated += 1;
      await route.fulfill({ headers: OURS, json: answer });
    });
    await member.page.reload();
    await member.button(/^Check the draw/).click();
    await member.sees("What is attested is not right");
    expect(await october(member).locator("[data-step=failed]").count()).toBe(1);
    await picture(member, "8-changed");

    await ife.goes("/dashboard/security");
    await ife.page.locator(`[data-signs="${key}"]`).waitFor();
    await ife.sees(/this device/);
    await picture(ife, "9-devices");
    await isFineForEverybody(ife);
    await ife.page.setViewportSize(PHONE);
    await ife.page.locator(`[data-signs="${key}"]`).getByRole("button").click();
    await ife.button("Turn it off").click();
    await ife.page.locator(`[data-signs="${key}"]`).waitFor({ state: "detached" });
  });
});
