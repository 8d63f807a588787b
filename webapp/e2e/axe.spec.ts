import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goes, logIn, OURS } from "./browse.mjs";
import { type Axe, bringAxe } from "./pages/axe";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";
import {
  allThere,
  atTheFinanceDesk,
  financeScreens,
  ofOthers,
  openFinance,
  overlays,
  privateScreens,
  publicScreens,
  SUPPORT,
} from "./screens.mjs";
import { answerBank, atTheSupportDesk, openSupport, runLab, supportScreens } from "./supportDesk.mjs";

/** The narrowest screen there is room for: looked at for its width alone. */
const NARROW = { width: 360, height: 740 };

/** Nothing goes wrong in the demo: what had gone wrong is put into the answer. */
async function withADeadLetter(page: Page) {
  await page.route("**/api/Operator/dead-letters", (route) =>
    route.fulfill({
      headers: OURS,
      json: {
        isSuccessful: true,
        message: "",
        returnedCode: "OK",
        returnedObject: [
          {
            model: "groups",
            position: 12_345,
            type: "naira.v1.ContributionReceived",
            error: "fold 12345 to 12345: duplicate key value violates unique constraint",
            at: "2026-11-20T10:00:00Z",
            event: JSON.stringify({
              position: 12_345,
              lines: [{ account: `wallet:${"x".repeat(80)}`, amountKobo: -5 }],
            }),
          },
        ],
      },
    }),
  );
}

type Screen = import("./screens.mjs").Screen;

let product: Product;
let browser: Browser;

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function findings(page: Page, contrast = true): Promise<string[]> {
  await bringAxe(page);
  const violations = await page.evaluate(
    async ([tags, enabled]) => {
      const { axe } = window as unknown as { axe: Axe };
      const rules = { "color-contrast": { enabled } };
      return (await axe.run({ runOnly: tags, rules, resultTypes: ["violations"] })).violations;
    },
    [TAGS, contrast] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/**
 * Nothing may stick out to the side, at any width: what does is named. A screen just made narrower is drawn anew by
 * scripts too (what is measured, what waits for a media query), so it has a moment for that.
 */
async function sticksOut(page: Page): Promise<string[]> {
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
  if (await page.waitForFunction(fits, undefined, { timeout: 2000 }).catch(() => undefined)) return [];
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1);
    return [
      `sticks out to the side: ${out
        .slice(-3)
        .map((one) => one.outerHTML.slice(0, 160))
        .join(" | ")}`,
    ];
  });
}

/** A page in a window of its own. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, baseURL: product.url, reducedMotion: "reduce" });
  return context.newPage();
}

/** Looks at what the page shows, in each width; nobody comes to a screen anew to see it wider. */
async function check(page: Page, found: Record<string, string[]>, name: string, widths = [NARROW, PHONE, DESKTOP]) {
  for (const viewport of widths) {
    await page.setViewportSize(viewport);
    await allThere(page);
    // What lies under the bottom bar as it happens is no small target: one scrolls.
    await page.addStyleTag({ content: "[data-frame=bottom] { position: static !important }" });
    // Colours are the same at every width, and looking at them takes longest.
    const faults = viewport === NARROW ? [] : await findings(page, viewport === PHONE);
    faults.push(...(await sticksOut(page)));
    if (faults.length > 0) found[`${name} at ${viewport.width} px`] = faults;
  }
}

async function checkAll(page: Page, screens: Screen[]) {
  const found: Record<string, string[]> = {};
  for (const { name, path } of screens) {
    await page.goto(path); // A load: other specs come to most screens inside the app alone.
    await check(page, found, name);
  }
  expect(found).toEqual({});
}

/** Some forty screens in three widths: on a slow machine they take minutes. */
const ALL_SCREENS_MS = 600_000;

describe("axe finds nothing, and nothing sticks out", { timeout: ALL_SCREENS_MS }, () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
  });

  it("but for what was put there to be found", async () => {
    const page = await newPage();
    await page.goto("/terms");
    await allThere(page);
    await page.evaluate(() => {
      document.querySelector("main")?.insertAdjacentHTML("beforeend", '<img src="/x"><p style="color: #bbb">Pale</p>');
    });
    const names = (await findings(page)).map((finding) => finding.split(":")[0]);
    expect(names).toEqual(["color-contrast", "image-alt"]);
  });

  it("on the public screens", async () => {
    await checkAll(await newPage(), publicScreens);
  });

  it("on the screens of the one signed in", async () => {
    if (!product.login) throw new Error("Set ADASHI_EMAIL and ADASHI_PASSWORD for the product at ADASHI_URL.");
    const page = await newPage();
    await logIn(page, product.login);
    await checkAll(page, await privateScreens(page));
  });

  it.skipIf(process.env.ADASHI_URL)("on the screens of who has to pay, and of who has a card", async () => {
    if (!product.login) throw new Error("There is no demo to log in to.");
    for (const { email, screensOf } of ofOthers) {
      const page = await newPage();
      await logIn(page, { ...product.login, email });
      await checkAll(page, await screensOf(page));
    }
  });

  it("on what opens over them", async () => {
    if (!product.login) throw new Error("Set ADASHI_EMAIL and ADASHI_PASSWORD for the product at ADASHI_URL.");
    const page = await newPage();
    await logIn(page, product.login);
    const found: Record<string, string[]> = {};
    for (const { name, on, open } of overlays) {
      await page.setViewportSize(PHONE);
      await goes(page, on);
      await allThere(page);
      await open(page);
      await check(page, found, name, [PHONE, NARROW]);
    }
    expect(found).toEqual({});
  });

  it.skipIf(process.env.ADASHI_URL)("on the screens of Adashi's own staff", async () => {
    if (!product.login) throw new Error("There is no demo to log in to.");
    const page = await newPage();
    await logIn(page, { ...product.login, email: SUPPORT });
    await withADeadLetter(page);
    const found: Record<string, string[]> = {};
    await page.goto("/operator");
    await page.getByText("Open the event").click();
    await check(page, found, "operator");
    await atTheFinanceDesk(page);
    for (const { name, path } of financeScreens) {
      await openFinance(page, path);
      await check(page, found, name);
    }
    await page.getByRole("button", { name: /^Review: / }).click();
    await page.getByRole("button", { name: "Open the offer letter" }).waitFor();
    await check(page, found, "finance-ajo-review");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByLabel("Suggested reasons").waitFor();
    await check(page, found, "finance-ajo-refuse");
    await atTheSupportDesk(page);
    for (const screen of supportScreens) {
      if (screen.path.includes("subject=")) continue;
      await openSupport(page, screen);
      await check(page, found, screen.name);
    }
    await answerBank(page);
    await check(page, found, "support: the bank of a card");
    await page.keyboard.press("Escape");
    for (const screen of supportScreens) {
      if (!screen.path.includes("subject=")) continue;
      await openSupport(page, screen);
      await check(page, found, screen.name);
    }
    for (const [button, dialog] of [
      ["Keys (?)", "The time machine by keyboard"],
      ["Ask the member", "Ask the member something"],
      ["Show the name", "Why do you need the name?"],
    ] as const) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog", { name: dialog }).waitFor();
      await check(page, found, `support: ${dialog}`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await runLab(page);
    await check(page, found, "support: a correction of a lab");
    expect(found).toEqual({});
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});
