import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findings } from "./pages/axe";
import { Person } from "./pages/person";
import { pictures, snapshots } from "./pages/picture";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere } from "./screens.mjs";

/** She is the demo's validator who has most to do. */
const IFE = "ife@demo.adashi.example";
const MANY = 100;
const SLIP = "%PDF-1.4\n1 0 obj\n(slip)\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n";

let product: Product;
let browser: Browser;
let ife: Person;

const picture = pictures("audit");
const snapshot = snapshots("audit");

const row = (id: string) => ife.page.locator(`[data-audit="${id}"]`);
const current = () => ife.page.locator("[data-audit][aria-current=true]");
const idOf = async () => (await current().getAttribute("data-audit")) ?? "";
const press = (key: string) => ife.page.keyboard.press(key);

/** The same on a phone, the narrowest and a desk. */
async function isFineForEverybody() {
  for (const size of [{ width: 360, height: 740 }, PHONE, DESKTOP]) {
    await ife.page.setViewportSize(size);
    expect(await findings(ife.page), String(size.width)).toEqual([]);
  }
}

/** How much waits, as the queue's own button says. */
async function waiting(count: number) {
  await ife.button(`To do (${count})`).waitFor();
}

describe("a validator's desk, by keyboard alone", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    const who = {
      firstName: "Ife",
      lastName: "Ogunleye",
      email: IFE,
      phone: "",
      password: product.login?.password ?? "",
    };
    ife = await Person.arrive(browser, product.url, who);
    await ife.logsIn();
  });
  afterAll(async () => {
    expect(ife?.problems).toEqual([]);
    await browser?.close();
    await product?.stop();
  });

  let before: number;
  let queried: string;
  let payer: string;

  it("1 · is reached from the dashboard, and shows all that waits", async () => {
    await ife.page.locator("a[href='/audit']").click();
    await current().waitFor();
    const words = await ife.button(/^To do/).textContent();
    before = Number(/\d+/.exec(words ?? "")?.[0]);
    expect(before).toBeGreaterThan(MANY);
    await picture(ife, "1-desk");
    await isFineForEverybody();
  });

  it("2 · tells its keys", async () => {
    await press("?");
    await ife.page.getByRole("dialog", { name: "Keys of the desk" }).waitFor();
    await picture(ife, "2-keys");
    expect(await findings(ife.page)).toEqual([]);
    await press("Escape");
    await ife.page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("3 · takes a slip back", async () => {
    const slip = await idOf();
    await press("v");
    await row(slip).waitFor({ state: "detached" });
    await waiting(before - 1);
    await ife.button("Undo").waitFor();
    await snapshot(ife.page, "3-undo");
    await press("u");
    await row(slip).waitFor();
    await waiting(before);
    expect(await idOf()).toBe(slip);
  });

  it("4 · queries one with a reason", async () => {
    const odd = await idOf();
    queried = odd;
    payer = /\b([A-Z][a-z]+) [A-Z][a-z]+/.exec((await row(odd).allInnerTexts()).join(" "))?.[1] ?? "";
    await press("q");
    await ife.page.keyboard.type("Was this for the welfare fund?");
    await press("Tab");
    await press("Tab");
    await ife.page.getByRole("dialog").getByRole("button", { name: "Query" }).press("Enter");
    await row(odd).waitFor({ state: "detached" });
    await waiting(before - 1);
    await ife.button("Queried (1)").waitFor();
  });

  it("4b · is answered by who paid, on a phone, in two taps", async () => {
    const who = { ...ife.who, firstName: payer, lastName: "", email: `${payer.toLowerCase()}@demo.adashi.example` };
    const member = await Person.arrive(browser, product.url, who, PHONE);
    await member.logsIn();
    await member.goes(`/dashboard/activity/${queried}`);
    await member.sees("Was this for the welfare fund?");
    await member.page.getByLabel("Your answer").fill("Yes, for the welfare fund.");
    await snapshot(member.page, "4-question");
    await member.button("Answer").click();
    await member.page.locator("[data-question] li").filter({ hasText: "Yes, for the welfare fund." }).waitFor();
    const slip = { name: "slip.pdf", mimeType: "application/pdf", buffer: Buffer.from(SLIP) };
    await member.page.locator("[data-question] [data-picker]").setInputFiles(slip);
    await member.button(/^Open the file of/).waitFor();
    await picture(member, "4-answered");
    expect(member.problems).toEqual([]);
    await member.context.close();
    await ife.button("Answered (1)").click();
    await row(queried).click();
    await ife.page.locator("[data-question] li").filter({ hasText: "Yes, for the welfare fund." }).waitFor();
    const opened = ife.page.waitForEvent("download");
    await ife.button(/^Open the file of/).click();
    expect(readFileSync(await (await opened).path(), "utf8")).toBe(SLIP);
    await picture(ife, "4-desk-answered");
    await isFineForEverybody();
    await ife.button(/^To do/).click();
    await row(queried).waitFor({ state: "detached" });
    await current().waitFor();
  });

  it("5 · goes down a hundred, one key each, faster than anybody reads", async () => {
    const began = performance.now();
    for (let n = 0; n < MANY; n += 1) {
      const id = await idOf();
      await press("v");
      await row(id).waitFor({ state: "detached" });
    }
    const each = (performance.now() - began) / MANY;
    console.log(`a payment takes ${each.toFixed(0)} ms from its key until the next is there`);
    expect(each).toBeLessThan(1000);
    await waiting(before - 1 - MANY);
  });

  it("6 · chooses a range with Shift and validates it together", async () => {
    await press("x");
    await press("j");
    await press("j");
    await press("Shift+X");
    await ife.sees("3 payments chosen");
    await press("v");
    await ife.page.getByRole("dialog").getByRole("button", { name: "Validate" }).press("Enter");
    await waiting(before - 4 - MANY);
  });

  it("7 · narrows by filters that its address holds, and saves them", async () => {
    await ife.goes("/audit?queue=QUERIED");
    await ife.page.getByText("Filters", { exact: true }).click();
    await ife.page.getByLabel("Kind").selectOption("Contribution");
    await ife.at("/audit?queue=QUERIED&paymentKind=CONTRIBUTION");
    await current().waitFor();
    await ife.button("Save these filters").click();
    await ife.page.getByLabel("What are they called?").fill("Queried dues");
    await ife.button("Save").click();
    await picture(ife, "7-filters");
    await isFineForEverybody();
    await ife.goes("/audit");
    await ife.button(/^Queried dues/).click();
    await ife.at("/audit?queue=QUERIED&paymentKind=CONTRIBUTION");
    await allThere(ife.page);
  });
});
