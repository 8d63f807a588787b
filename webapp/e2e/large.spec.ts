import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goes, logIn } from "./browse.mjs";
import { snapshots } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import { allThere, privateScreens } from "./screens.mjs";

const picture = snapshots("large");
const WIDTHS = [360, 390, 1440];
const LARGEST = 999_999_999_999.99;
const WORD = `Ẹgbẹ́${"W".repeat(55)}`;
const NAMES = "Progressive Union of Market Women and Tailors of Onitsha Ltd";

const AMOUNTS =
  /^(amount|amountPayable|total|totalBalance|balance|savingsBalance|groupAjoBalance|held|outstanding|paid|activeBalance|userTotalSavings|contributed|moneyIn|moneyOut|paidOut|myTotal|mySavings|totalAmountContributed|balanceAfter|penalty|charge|daily|cap|used|left)$/;
const NAMED = /^(name|groupName|subAccountName|firstName|lastName|title|purpose|ownerName|label)$/;

/** The same answer with the largest sums and the longest names that may be. */
function swollen(value: unknown, key = "", word = false): unknown {
  if (Array.isArray(value)) return value.map((one, at) => swollen(one, key, at % 2 === 0));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, swollen(one, name, word)]));
  }
  if (typeof value === "number" && AMOUNTS.test(key)) return LARGEST;
  if (typeof value === "string" && NAMED.test(key) && key !== "label") return word ? WORD : NAMES;
  return value;
}

let product: Product;
let browser: Browser;
let page: Page;

/** What sticks out: of the page to the side, of its card, or over the words beside it. */
const faults = () =>
  page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page, by ${root.scrollWidth - root.clientWidth}`);
    const seen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1;
    };
    for (const figure of document.querySelectorAll("[data-naira], h1, h2, h3")) {
      const card = figure.closest("section, [class*=adashi-card], main, aside, header");
      if (!card || !seen(figure)) continue;
      const scrolls = figure.closest("[style*=overflow], [data-scrolls]");
      const [one, other] = [figure.getBoundingClientRect(), card.getBoundingClientRect()];
      const { paddingLeft, paddingRight } = getComputedStyle(card);
      const [left, right] = [
        other.left + Number.parseFloat(paddingLeft),
        other.right - Number.parseFloat(paddingRight),
      ];
      if (!scrolls && (one.right > right + 1 || one.left < left - 1)) {
        found.push(`${figure.textContent?.slice(0, 30)} out of its card`);
      }
    }
    const figures = [...document.querySelectorAll("main [data-naira]")].filter(seen);
    for (const [at, figure] of figures.entries()) {
      const one = figure.getBoundingClientRect();
      for (const next of figures.slice(at + 1)) {
        const other = next.getBoundingClientRect();
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 1 && down > 4) found.push(`${figure.textContent} over ${next.textContent}`);
      }
    }
    // The words of a chart may not run into each other either.
    const labels = [...document.querySelectorAll("[aria-hidden] span")].filter(
      (label) => /^₦/.test(label.textContent ?? "") && !label.closest("[data-naira]") && seen(label),
    );
    for (const [at, label] of labels.entries()) {
      const next = labels[at + 1]?.getBoundingClientRect();
      const one = label.getBoundingClientRect();
      if (next && Math.abs(next.top - one.top) < 4 && one.right > next.left + 1)
        found.push(`${label.textContent} in a chart`);
    }
    return [...new Set(found)];
  });

describe("the largest sums and the longest names", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: PHONE, baseURL: product.url, reducedMotion: "reduce" });
    page = await context.newPage();
    if (!product.login) throw new Error("The demo has no login.");
    await logIn(page, product.login);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("fit on every screen of a member at 360, 390 and 1440 px", async () => {
    const mine =
      /^(dashboard|wallet|activity|activity-detail|sub-account-payment|savings|group|my-payments|sub-accounts|sub-account)$/;
    const screens = (await privateScreens(page)).filter(({ name }) => mine.test(name));
    expect(screens.length).toBeGreaterThan(6);
    await page.route("**/api/**", async (route) => {
      if (route.request().method() !== "GET" || /\/live|\/events/.test(route.request().url())) return route.fallback();
      const reply = await route.fetch();
      if (!reply.headers()["content-type"]?.includes("json")) return route.fulfill({ response: reply });
      return route.fulfill({ response: reply, json: swollen(await reply.json()) });
    });
    await page.reload(); // What was read before is none of it.
    const found: Record<string, string[]> = {};
    for (const { name, path } of screens) {
      await goes(page, path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await allThere(page);
        await picture(page, `${name}-${width}`, name !== "activity");
        const out = await faults();
        if (out.length > 0) found[`${name} at ${width}`] = out;
      }
    }
    expect(found).toEqual({});
  });
});
