import type { Locator } from "playwright-core";
import { vi } from "vitest";
import type { Person } from "./person";

/** The newest link of this kind in the mail to this address, from the inbox for developers. Mail is sent by a job. */
export function mailedLink({ context, who }: Person, path: string, to = who.email): Promise<string> {
  const find = async () => {
    const inbox = await context.request.get(`/dev/inbox?to=${encodeURIComponent(to)}`);
    const link = new RegExp(`href="([^"]*${path}\\?token=[^"]+)"`).exec(await inbox.text())?.[1];
    if (!link) throw new Error(`No mail to ${to} has a link to ${path}.`);
    return link;
  };
  return vi.waitFor(find, { timeout: 15_000, interval: 100 });
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
  await form.getByRole("listbox").getByRole("option").first().click();
  await form.getByLabel("Account number").fill(number);
  const name = form.locator("[data-account-name]");
  await name.waitFor();
  return (await name.textContent()) ?? "";
}

/** The first account needs no step-up; another in its place does. */
export async function saveBank(person: Person) {
  await person.button("Save this account").click();
  await person.button("Save this account").waitFor({ state: "detached" });
}

interface AtTheBank {
  firstName: string;
  lastName: string;
  bank: string;
  account: string;
  bvn: string;
}

/** Opens an account at the sandbox bank's counter, so that name enquiry and BVN know the person. */
export async function openAccount({ context }: Person, { firstName, lastName, bank, account, bvn }: AtTheBank) {
  const counter = await context.newPage();
  await counter.goto("/sandbox/");
  const form = counter.locator('form[action="/sandbox/people"]');
  await form.locator("#first_name").fill(firstName);
  await form.locator("#last_name").fill(lastName);
  await form.locator("#bank").selectOption({ label: bank });
  await form.locator("summary").click();
  await form.locator("#new_account").fill(account);
  await form.locator("#bvn").fill(bvn);
  await form.getByRole("button", { name: "Open account" }).click();
  await counter.getByText(bvn).first().waitFor();
  await counter.close();
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

/** A PDF that is one: one empty page, with its table of where things lie. */
export function pdf(name: string): Upload {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = text.length;
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return { name, mimeType: "application/pdf", buffer: Buffer.from(text, "latin1") };
}

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

/** Opens an account at the sandbox bank's counter and has it and the BVN verified on the profile. */
export async function provesBvn(person: Person, bank: string, account: string, bvn: string) {
  const { firstName, lastName } = person.who;
  await openAccount(person, { firstName, lastName, bank, account, bvn });
  await person.goes("/dashboard/profile/edit");
  await fillBank(person, bank, account);
  await saveBank(person);
  await verifyBvn(person, bvn);
  await bvnState(person, "VERIFIED").waitFor();
}
