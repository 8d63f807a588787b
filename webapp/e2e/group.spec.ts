import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findings } from "./pages/axe";
import { Caller } from "./pages/caller";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere } from "./screens.mjs";

const picture = pictures("group");
/** In the first 600 px of a phone a person sees what the group has, and in the bar what to do. */
const FOLD = 600;
const HEIGHT_MAX = 1400;

let product: Product;
let browser: Browser;
let ada: Person;
let group: string;

describe("the group's page on a phone", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    if (!product.login) throw new Error("The demo has no login.");
    ada = await (await Caller.logIn(product.url, product.login)).atScreen(browser, PHONE);
    await ada.goes("/savings");
    const card = ada.page.locator('main a[href^="/savings/"]:has(h3)').first();
    group = (await card.getAttribute("href")) ?? "";
    await ada.goes(group);
    await ada.page.locator("[data-seal]").waitFor();
    await allThere(ada.page);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("shows the hero and the next action in the first 600 px, and is short", async () => {
    const hero = await ada.page.locator("[data-hero]").boundingBox();
    expect(hero && hero.y + hero.height).toBeLessThan(FOLD);
    const bar = await ada.page.locator("[data-bar] a").boundingBox();
    expect(bar && bar.y + bar.height).toBeLessThan(844);
    expect(await ada.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(HEIGHT_MAX);
    await picture(ada, "1-overview");
  });

  it("has every tab in sight at 390 and 360 px, and each leads to its page", async () => {
    const { page } = ada;
    const tabs = page.getByRole("navigation", { name: "Parts of the group" });
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      const fits = await tabs.evaluate((nav) => nav.scrollWidth <= nav.clientWidth);
      expect(fits, `tabs at ${width} px`).toBe(true);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const top = (await tabs.boundingBox())?.y;
    for (const name of ["Payments", "Members", "Requests", "More", "Overview"]) {
      await tabs.getByRole("link", { name }).click();
      await tabs.locator('[aria-current="page"]', { hasText: name }).waitFor();
      await allThere(page);
      expect((await tabs.boundingBox())?.y, `${name} leaves the tabs where they are`).toBe(top);
      expect(await findings(page), name).toEqual([]);
      await picture(ada, `2-${name.toLowerCase()}`);
    }
  });

  it("opens what was checked from one row", async () => {
    await ada.page.locator("[data-seal]").click();
    const checked = ada.page.getByRole("dialog", { name: "Checked" });
    await checked.getByText("The signature is right").waitFor();
    await checked.getByRole("link", { name: "Closed months" }).waitFor();
    expect(ada.problems).toEqual([]);
  });
});
