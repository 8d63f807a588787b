import type { Person } from "./person";

/** YYYY-MM-DD in Lagos. */
const lagosDay = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());

/** Says what is wrong, from wherever the page is. */
export async function choosesWhatIsWrong({ page }: Person, kind: RegExp) {
  await page.getByRole("radio", { name: kind }).check();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Has it looked for; answers how much of it is nobody's yet. */
export async function searches({ page }: Person, amount: string): Promise<number> {
  await page.getByLabel("How much was it?").fill(amount);
  await page.getByLabel("On which day did you pay?").fill(lagosDay());
  await page.getByRole("button", { name: "Look for it" }).click();
  await page.locator("[data-finds]").waitFor();
  return page.locator('[data-find="UNMATCHED"]').count();
}

/** Says what happened, sends it, and answers its number. */
export async function tells({ page }: Person, words: string): Promise<string> {
  await page.getByLabel("What happened?").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  const number = page.locator("[data-number]");
  await number.waitFor();
  return (await number.getAttribute("data-number")) ?? "";
}

/** The state of the case or the dispute that is on screen. */
export const stands = ({ page }: Person, status: string) => page.locator(`[data-status="${status}"]`).waitFor();

/** The event that the time machine stands at. */
export const standsAt = async ({ page }: Person) => Number(await page.locator("[data-at]").getAttribute("data-at"));

/** Goes from the request on screen to a dispute of it, of which so much is to be held. */
export async function disputesPayout(person: Person, amount: string) {
  await person.page.getByRole("dialog", { name: "Request" }).getByRole("link", { name: "Something wrong?" }).click();
  await choosesWhatIsWrong(person, /The amount is wrong/);
  await person.page.locator("[data-hold]").getByLabel("How much?").fill(amount);
}
