import type { Locator } from "playwright-core";
import type { Person } from "./person";

/** The newest link of this kind in the mail to this address, from the inbox for developers. */
export async function mailedLink(person: Person, path: string, to = person.who.email): Promise<string> {
  const inbox = await person.context.newPage();
  const link = inbox.locator(`a[href*="${path}?token="]`).first();
  for (let tries = 0; ; tries++) {
    await inbox.goto(`/dev/inbox?to=${encodeURIComponent(to)}`);
    // Mail is sent by a job: it may take a moment.
    const came = await link.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    if (came) break;
    if (tries > 10) throw new Error(`No mail to ${to} has a link to ${path}.`);
  }
  const href = await link.getAttribute("href");
  await inbox.close();
  return href ?? "";
}

const section = (person: Person, id: string) => person.page.locator(`#${id}`);

/** Answers the step-up with the password. */
export async function stepUp({ page, who }: Person) {
  const dialog = page.getByRole("dialog", { name: "Please confirm that it is you" });
  await dialog.getByLabel("Your password").fill(who.password);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.waitFor({ state: "hidden" });
}

/** Chooses a bank by its name and types the number; answers the name that the bank gives, before anything is saved. */
export async function fillBank(person: Person, bank: string, number: string): Promise<string> {
  const form = section(person, "bank");
  await form.getByRole("combobox", { name: "Bank" }).fill(bank);
  await person.page.getByRole("option").first().click();
  await form.getByLabel("Account number").fill(number);
  const name = form.locator("[data-account-name]");
  await name.waitFor();
  return (await name.textContent()) ?? "";
}

export async function saveBank(person: Person) {
  await person.button("Save this account").click();
  await stepUp(person);
  await person.button("Save this account").waitFor({ state: "detached" });
}

export async function verifyBvn(person: Person, bvn: string) {
  await section(person, "bank").getByLabel("BVN", { exact: true }).fill(bvn);
  await person.button("Verify BVN").click();
}

export const bvnState = (person: Person, state: "NONE" | "PENDING" | "VERIFIED" | "FAILED"): Locator =>
  person.page.locator(`[data-bvn="${state}"]`);

interface Upload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export async function chooseFile(person: Person, picker: string, file: Upload) {
  await person.page.locator(`[data-picker="${picker}"]`).setInputFiles(file);
}

/** A PDF that is one: the least a reader takes. */
export const pdf = (name: string): Upload => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.from(
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
  ),
});

/** A picture drawn by the browser itself. */
export async function drawnPicture(person: Person, name: string): Promise<Upload> {
  const letters = await person.page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 640;
    canvas.height = 480;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.fillStyle = "#0e7567";
    context.fillRect(0, 0, 640, 480);
    context.fillStyle = "#ffffff";
    context.fillRect(220, 120, 200, 240);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  return { name, mimeType: "image/png", buffer: Buffer.from(letters, "base64") };
}
