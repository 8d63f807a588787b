import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OURS } from "./browse.mjs";
import { findings } from "./pages/axe";
import { choosesWhatIsWrong, tells } from "./pages/disputes";
import { stepUp } from "./pages/people";
import { Person } from "./pages/person";
import { pictures, snapshots } from "./pages/picture";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere } from "./screens.mjs";

/** She is the demo's validator who has most to do. */
const IFE = "ife@demo.adashi.example";

let product: Product;
let browser: Browser;
let ife: Person;

const picture = pictures("witness");
const snapshot = snapshots("witness");

/** A proof that proves nothing, as a ledger has to give that shows another history. */
const noProof = (route: Route) =>
  route.fulfill({
    headers: OURS,
    json: {
      isSuccessful: true,
      message: "",
      returnedCode: "OK",
      returnedObject: { from: 1, to: 2, hashes: [btoa("x".repeat(32))] },
    },
  });

/** The same on the narrowest, a phone and a desk; with a picture of the latter two. */
async function isFineForEverybody(name: string, part: string) {
  for (const size of [{ width: 360, height: 740 }, PHONE, DESKTOP]) {
    await ife.page.setViewportSize(size);
    await ife.page.locator(part).scrollIntoViewIfNeeded();
    expect(await findings(ife.page), String(size.width)).toEqual([]);
    if (size.width !== 360) await snapshot(ife.page, `${name}-${size.width}`);
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
    await ife.logsIn();
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

  it("3 · stands in the evidence of her dispute, with what the device saw first, and shows one changed byte", async () => {
    await ife.page.goto(`${product.url}/disputes/new`);
    await choosesWhatIsWrong(ife, /It was not me/);
    await ife.page.getByRole("checkbox", { name: "Freeze my money now" }).uncheck();
    await tells(ife, "Somebody paid from my wallet last night, and I was asleep in Ibadan.");
    await ife.link("See your dispute").click();
    await ife.button("Download the evidence").waitFor();
    const coming = ife.page.waitForEvent("download");
    await ife.button("Download the evidence").click();
    const file = `${await mkdtemp(join(tmpdir(), "evidence-"))}/evidence.html`;
    await (await coming).saveAs(file);

    const reader = await browser.newPage({ viewport: PHONE });
    const asks: string[] = [];
    reader.on("request", (request) => asks.push(request.url()));
    await reader.goto(pathToFileURL(file).href);
    await reader.locator("#verdict.good").getByText("Everything verifies").waitFor();
    const seen = reader.locator("#seen");
    await seen.getByRole("heading", { name: "Seen by 1 witness" }).waitFor();
    await seen.locator("strong").getByText("A member's device", { exact: true }).waitFor();
    await seen.getByText(/^The oldest state of the ledger that your device holds has [\d,]+ records/).waitFor();
    for (const size of [{ width: 360, height: 740 }, PHONE, { width: 1440, height: 900 }]) {
      await reader.setViewportSize(size);
      expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await snapshot(reader, `evidence-${size.width}`, true);
    }

    const whole = await readFile(file, "utf8");
    const changed = whole.replace(
      /("signature":")(AAAAA.{20})(.)/,
      (_, name, first, letter) => `${name}${first}${letter === "A" ? "B" : "A"}`,
    );
    expect(changed).not.toBe(whole);
    await writeFile(file, changed);
    await reader.reload();
    await reader
      .locator("#verdict.bad")
      .getByText(/the signature of device .* is wrong/)
      .waitFor();
    await snapshot(reader, "evidence-changed");
    expect(asks.every((url) => url.startsWith("file:"))).toBe(true);
    await reader.close();
    await rm(dirname(file), { recursive: true });
  });

  it("4 · is refused where the ledger does not continue what the device saw first, which cries out", async () => {
    await ife.page.route("**/api/v1/disputes/*/bundle*", (route) =>
      route.fulfill({
        status: 409,
        headers: OURS,
        json: {
          isSuccessful: false,
          message: "The ledger does not continue what this device saw first: there are two histories.",
          returnedCode: "CONFLICT",
          returnedObject: { field: "checkpoint" },
        },
      }),
    );
    await ife.page.route("**/api/Ledger/consistency*", noProof);
    await ife.button("Download the evidence").click();
    await ife.page.locator("[data-alarm]").waitFor();
    await ife.sees("Seen first");
    await isFineForEverybody("parted", "[data-alarm]");
    const saved = ife.page.waitForEvent("download");
    await ife.button("Save the evidence").click();
    expect((await saved).suggestedFilename()).toBe("adashi-evidence.json");
    await ife.page.unroute("**/api/v1/disputes/*/bundle*");
    await ife.page.unroute("**/api/Ledger/consistency*");
  });

  it("5 · cries out when the ledger does not continue what it signed", async () => {
    await ife.page.goto(`${product.url}/audit`);
    const first = ife.page.locator("[data-audit][aria-current=true]");
    const id = await first.getAttribute("data-audit");
    await ife.page.route("**/api/Ledger/consistency*", noProof); // Before there is more to see, which the device may see at once.
    await ife.page.keyboard.press("v");
    await ife.page.locator(`[data-audit="${id}"]`).waitFor({ state: "detached" });
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
