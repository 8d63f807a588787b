import { mkdirSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { DESKTOP, PHONE } from "../product.mjs";

/** Pictures are for people to look at and prove nothing: `ADASHI_PICTURES=1 npm run e2e` takes them into /shots. */
const wanted = Boolean(process.env.ADASHI_PICTURES);

type Snapshot = (page: Page, name: string, fullPage?: boolean) => Promise<void>;
type Picture = (person: { page: Page }, name: string, part?: Locator) => Promise<void>;
const none = async () => {};

/** Waits until nothing moves. */
export const still = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));

/** Takes pictures into a folder: of a page as it is, once nothing moves. */
export function snapshots(folder: string): Snapshot {
  if (!wanted) return none;
  const path = new URL(`../../../shots/${folder}/`, import.meta.url).pathname;
  mkdirSync(path, { recursive: true });
  return async (page, name, fullPage = false) => {
    await still(page);
    await page.screenshot({ path: `${path}${name}.png`, fullPage });
  };
}

/** Takes pictures into a folder: of a page or a part of it, as on a phone and at a desk, once nothing moves. */
export function pictures(folder: string): Picture {
  if (!wanted) return none;
  const path = new URL(`../../../shots/${folder}/`, import.meta.url).pathname;
  mkdirSync(path, { recursive: true });
  return async ({ page }, name, part) => {
    const viewport = page.viewportSize();
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await still(page);
      const file = { path: `${path}${name}-${size.width}.png` };
      await (part ? part.screenshot(file) : page.screenshot({ ...file, fullPage: true }));
    }
    if (viewport) await page.setViewportSize(viewport);
  };
}
