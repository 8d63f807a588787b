import type { Locator } from "playwright-core";
import type { Person } from "./person";

const MOST_TABS = 80;

/** What has the focus: whether it is this one, can be seen to have it, and comes after the one before. */
const look = (target: Locator) =>
  target.evaluate((wanted) => {
    const now = document.activeElement ?? document.body;
    const seen = window as unknown as { lastFocused?: Element };
    const before = seen.lastFocused;
    seen.lastFocused = now === document.body ? undefined : now;
    const follows = Node.DOCUMENT_POSITION_FOLLOWING;
    const backwards = before?.isConnected && now !== document.body && !(before.compareDocumentPosition(now) & follows);
    const { outlineStyle, boxShadow } = getComputedStyle(now);
    const { width, height } = now.getBoundingClientRect();
    return {
      there: now === wanted,
      backwards: Boolean(backwards) && before !== now,
      visible: width > 0 && height > 0 && (outlineStyle !== "none" || boxShadow !== "none"),
      html: now.outerHTML.slice(0, 160),
    };
  });

/** Goes on by Tab until this has the focus, which is in the page's order and visible at each stop. */
export async function tabTo({ page }: Person, target: Locator) {
  await target.waitFor();
  await page.evaluate(() => {
    (window as unknown as { lastFocused?: Element }).lastFocused = undefined;
  });
  let wrapped = 0;
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press("Tab");
    const { there, backwards, visible, html } = await look(target);
    // In a dialog the last one is followed by the first.
    if (backwards && ++wrapped > 1) throw new Error(`The focus goes back to ${html}`);
    if (there && !visible) throw new Error(`The focus cannot be seen on ${html}`);
    if (there) return;
  }
  throw new Error(`${MOST_TABS} times Tab do not come to ${target}`);
}

/** Presses what Tab comes to: a button or a link by Enter. */
export async function enters(person: Person, target: Locator) {
  await tabTo(person, target);
  await person.page.keyboard.press("Enter");
}

/** Writes into a field that Tab comes to, over what stands there. */
export async function types(person: Person, field: Locator, text: string) {
  await tabTo(person, field);
  await person.page.keyboard.press("ControlOrMeta+a");
  await person.page.keyboard.type(text);
}

/** Ticks a box that Tab comes to. */
export async function ticks(person: Person, box: Locator) {
  await tabTo(person, box);
  await person.page.keyboard.press("Space");
}

/** Chooses one of several: Tab comes to the one that is chosen, the arrows go on from there. */
export async function chooses(person: Person, one: Locator) {
  const group = one.locator("xpath=ancestor::fieldset[1]");
  await tabTo(person, group.locator("input:checked"));
  for (let steps = 0; !(await one.isChecked()); steps++) {
    if (steps > 10) throw new Error(`The arrows do not come to ${one}`);
    await person.page.keyboard.press("ArrowDown");
  }
}

/** Chooses from a list by the first letters of what one wants. */
export async function picks(person: Person, list: Locator, words: string) {
  await tabTo(person, list);
  await person.page.keyboard.type(words);
}

/** A dialog gives the focus back to what opened it. */
export async function comesBackTo(person: Person, opener: Locator) {
  await person.page.getByRole("dialog").waitFor({ state: "hidden" });
  await person.page.waitForFunction((element) => document.activeElement === element, await opener.elementHandle());
}
