import { mkdirSync } from "node:fs";
import type { Locator } from "playwright-core";
import { DESKTOP, PHONE } from "../product.mjs";
import type { Person } from "./person";

/** Takes pictures into a folder: of a page or a part of it, as on a phone and at a desk, once nothing moves. */
export function pictures(folder: string) {
  const path = new URL(`../../../shots/${folder}/`, import.meta.url).pathname;
  mkdirSync(path, { recursive: true });
  return async ({ page }: Person, name: string, part?: Locator) => {
    const viewport = page.viewportSize();
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
      const file = { path: `${path}${name}-${size.width}.png` };
      await (part ? part.screenshot(file) : page.screenshot({ ...file, fullPage: true }));
    }
    if (viewport) await page.setViewportSize(viewport);
  };
}
