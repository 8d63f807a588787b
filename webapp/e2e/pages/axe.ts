import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { still } from "./picture";

export type Axe = typeof import("axe-core");

/** Its small build: each page that is loaded gets all of it again. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No screen has frames, so axe runs in the page itself, which it is put into once. */
export async function bringAxe(page: Page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
}

/** What axe finds wrong, and whether anything sticks out to the side. It does not see a dialog that is still opening. */
export async function findings(page: Page): Promise<string[]> {
  await bringAxe(page);
  await still(page);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? ["wide"] : [];
    return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), ...wide];
  });
}
