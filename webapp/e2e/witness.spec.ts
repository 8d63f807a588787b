import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stepUp } from "./pages/people";
import { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere, logIn } from "./screens.mjs";

/** She is the demo's validator who has most to do. */
const IFE = "ife@demo.adashi.example";

let product: Product;
let browser: Browser;
let ife: Person;

const picture = pictures("witness");

async function findings() {
  if (!(await ife.page.evaluate(() => "axe" in window))) await ife.page.evaluate(axe.source);
  return ife.page.evaluate(async () => {
    const { axe: its } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await its.run({ resultTypes: ["violations"] });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      ...(scrollWidth > clientWidth ? ["wide"] : []),
    ];
  });
}

/** The same on the narrowest, a phone and a desk; with a picture of the latter two. */
async function isFineForEverybody(name: string, part: string) {
  for (const size of [{ width: 360, height: 740 }, PHONE, DESKTOP]) {
    await ife.page.setViewportSize(size);
    await ife.page.locator(part).scrollIntoViewIfNeeded();
    expect(await findings(), String(size.width)).toEqual([]);
    if (size.width !== 360)
      await ife.page.screenshot({
        path: new URL(`../../shots/witness/${name}-${size.width}.png`, import.meta.url).pathname,
      });
  }
  await ife.page.setViewportSize(PHONE);
}

describe("a validator's device watches the ledger", () => {
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
    await logIn(ife.page, who);
  });
  afterAll(async () => {
    expect(ife?.problems).toEqual([]);
    await browser?.close();
    await product?.stop();
  });

  it("1 · is turned on at the desk, once she showed that it is her", async () => {
    await ife.page.goto(`${product.url}/audit`);
    await allThere(ife.page);
    await ife.page.locator("[data-watch=off]").waitFor();
    await isFineForEverybody("off", "[data-watch]");
    await ife.button("Turn it on").click();
    await stepUp(ife);
    await ife.page.locator("[data-watch=on] [data-seen]").waitFor();
    await isFineForEverybody("on", "[data-watch]");
  });

  it("2 · is seen beside the receipt of a payment, checked in the browser", async () => {
    await ife.page.goto(`${product.url}/dashboard/activity`);
    await ife.page.locator('a[href^="/dashboard/activity/"]').first().click();
    await ife.button("Check the proof").click();
    await ife.page.locator("[data-witnesses='1']").waitFor();
    await ife.sees("Seen by 1 witness");
    await ife.sees("Your device");
    await isFineForEverybody("receipt", "[data-witnesses]");
  });

  it("3 · cries out when the ledger does not continue what it signed", async () => {
    await ife.page.goto(`${product.url}/audit`);
    const first = ife.page.locator("[data-audit][aria-current=true]");
    const id = await first.getAttribute("data-audit");
    await ife.page.keyboard.press("v"); // So that there is more to see.
    await ife.page.locator(`[data-audit="${id}"]`).waitFor({ state: "detached" });
    await ife.page.route("**/api/Ledger/consistency*", (route) =>
      route.fulfill({
        json: {
          isSuccessful: true,
          message: "",
          returnedCode: "OK",
          returnedObject: { from: 1, to: 2, hashes: [btoa("x".repeat(32))] },
        },
      }),
    );
    await ife.page.goto(`${product.url}/dashboard/security`);
    await allThere(ife.page);
    await ife.page.locator("[data-alarm]").waitFor({ timeout: 90_000 });
    await isFineForEverybody("alarm", "[data-alarm]");
    const saved = ife.page.waitForEvent("download");
    await ife.button("Save the evidence").click();
    expect((await saved).suggestedFilename()).toBe("adashi-evidence.json");
    await ife.page.unroute("**/api/Ledger/consistency*");
    await ife.page.reload();
    await ife.page.locator("[data-alarm]").waitFor(); // It never recovers by itself.
    await ife.button("I have saved it: stop watching here").click();
    await ife.page.locator("[data-watch=off]").waitFor();
    await picture(ife, "stopped");
  });
});
