// Photographs every screen at the width of a phone and of a desk into /shots, with the demo's data.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { logIn } from "./browse.mjs";
import { DESKTOP, openBrowser, PHONE, startProduct } from "./product.mjs";
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
  staffScreens,
} from "./screens.mjs";
import { atTheSupportDesk, openSupport, supportScreens } from "./supportDesk.mjs";

const folder = fileURLToPath(new URL("../../shots/", import.meta.url));
mkdirSync(folder, { recursive: true });

const product = await startProduct({ demo: true });
const browser = await openBrowser();
let count = 0;
try {
  for (const viewport of [PHONE, DESKTOP]) {
    const context = await browser.newContext({ viewport, baseURL: product.url, reducedMotion: "reduce" });
    const page = await context.newPage();
    const shoot = async (name, fullPage) => {
      await allThere(page);
      await page.screenshot({ path: `${folder}${name}-${viewport.width}.png`, fullPage });
      count += 1;
    };
    for (const { name, path } of publicScreens) {
      await page.goto(path);
      await shoot(name, true);
    }
    if (product.login) {
      await logIn(page, product.login);
      for (const { name, path } of await privateScreens(page)) {
        await page.goto(path);
        // Of the activity's rows only those on screen are there.
        await shoot(name, name !== "activity");
      }
      for (const { name, on, open } of overlays) {
        await page.goto(on);
        await allThere(page);
        await open(page);
        await shoot(name, false);
      }
    }
    if (product.login && !process.env.ADASHI_URL) {
      const { password } = product.login;
      const change = async (/** @type {string} */ email) => {
        await context.clearCookies();
        await page.evaluate(() => localStorage.clear());
        await logIn(page, { email, password });
      };
      for (const { email, screensOf } of ofOthers) {
        await change(email);
        for (const { name, path } of await screensOf(page)) {
          await page.goto(path);
          await shoot(name, true);
        }
      }
      await change(SUPPORT);
      for (const { name, path } of staffScreens) {
        await page.goto(path);
        await shoot(name, true);
      }
      await atTheFinanceDesk(page);
      for (const { name, path } of financeScreens) {
        await openFinance(page, path);
        await shoot(name, true);
      }
      await atTheSupportDesk(page);
      for (const screen of supportScreens) {
        await openSupport(page, screen);
        await shoot(screen.name, true);
      }
    }
    await context.close();
  }
} finally {
  await browser.close();
  await product.stop();
}
console.log(`${count} pictures in ${folder}`);
if (!product.login) console.log("Without ADASHI_EMAIL and ADASHI_PASSWORD only the public screens were taken.");
