import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "./browse.mjs";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere } from "./screens.mjs";

const SHIFT_MAX = 0.05;
const FILES_MAX = 8;

let product: Product;
let browser: Browser;

/** Runs in the page before all else: adds up what moves without being asked to. */
function watchShifts() {
  const moved: { shift: number; what: string[] } = { shift: 0, what: [] };
  Object.assign(window, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      moved.shift += entry.value;
      const nodes = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : ""));
      moved.what.push(`${entry.value.toFixed(3)} ${nodes.join(" | ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** What a load of this page moved, and the script files that it fetched. */
async function look(page: Page, path: string) {
  await page.goto(path);
  await allThere(page);
  return page.evaluate(() => {
    const { moved } = window as unknown as { moved: { shift: number; what: string[] } };
    const files = performance.getEntriesByType("resource").filter(({ name }) => /\/assets\/[^?]+\.js$/.test(name));
    return { ...moved, files: [...new Set(files.map(({ name }) => name.replace(/.*\//, "")))] };
  });
}

/** The demo's first group and first ajo of the person signed in. */
async function places(page: Page): Promise<[name: string, path: string][]> {
  const first = async (on: string, link: string) => {
    await page.goto(on);
    const found = page.locator(link).first();
    await found.waitFor();
    return (await found.getAttribute("href")) ?? "";
  };
  return [
    ["home", "/dashboard"],
    ["a group", await first("/savings", "main a:has([data-emblem])")],
    ["an ajo", await first("/ajo/user/groups", "a[data-ajo]")],
  ];
}

describe.each([PHONE, DESKTOP])("the frame at $width px", (viewport) => {
  let page: Page;
  const screens: [name: string, path: string][] = [];

  beforeAll(async () => {
    product ??= await startProduct({ demo: true });
    browser ??= await openBrowser();
    const context = await browser.newContext({ viewport, baseURL: product.url, reducedMotion: "reduce" });
    await context.addInitScript(watchShifts);
    page = await context.newPage();
  });

  const check = async (some: [name: string, path: string][]) => {
    const found: Record<string, unknown> = {};
    for (const [name, path] of some) {
      const { shift, what, files } = await look(page, path);
      if (shift > SHIFT_MAX) found[`${name} moves by ${shift.toFixed(3)}`] = what;
      if (files.length > FILES_MAX) found[`${name} loads ${files.length} files`] = files;
    }
    expect(found).toEqual({});
  };

  it("moves nothing while it loads, and loads few files, for a visitor", async () => {
    await check([
      ["landing", "/"],
      ["login", "/login"],
    ]);
  });

  it("moves nothing while it loads, and loads few files, for a member", async () => {
    if (!product.login) throw new Error("Set ADASHI_EMAIL and ADASHI_PASSWORD for the product at ADASHI_URL.");
    await logIn(page, product.login);
    screens.push(...(await places(page)));
    await check(screens);
  });

  it("hides nothing behind the bottom bar at a page's end", async () => {
    for (const [, path] of screens) {
      await page.goto(path);
      await allThere(page);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const gap = await page.evaluate(() => {
        const bar = document.querySelector("[data-frame=bottom]")?.getBoundingClientRect().top ?? window.innerHeight;
        return bar - (document.getElementById("main")?.lastElementChild?.getBoundingClientRect().bottom ?? 0);
      });
      expect(gap, path).toBeGreaterThan(0);
    }
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});
