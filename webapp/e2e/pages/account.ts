import type { Browser } from "playwright-core";
import type { PHONE } from "../product.mjs";
import { Person } from "./person";

/** Somebody new with a window of their own; `where` keeps their address apart, `digit` their telephone number. */
export async function newcomer(
  browser: Browser,
  url: string,
  { name, where, digit, viewport }: { name: string; where: string; digit: number; viewport?: typeof PHONE },
) {
  const [firstName = "", lastName = ""] = name.split(" ");
  const run = Date.now().toString(36);
  const who = {
    firstName,
    lastName,
    email: `${firstName.toLowerCase()}.${where}.${run}@example.com`,
    phone: `090${digit}${String(Date.now()).slice(-7)}`,
    password: `good-${run}-pass`,
  };
  const person = await Person.arrive(browser, url, who, viewport);
  await signUp(person, "1990-05-17");
  await verify(person);
  return person;
}

export async function signUp(person: Person, dateOfBirth: string) {
  const { page, who } = person;
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await person.link("Create your account").first().click();
  await fillSignUp(person, dateOfBirth);
  await person.sees("Kindly click on the email verification link sent to your email.");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.getByText(who.email).first().waitFor();
}

export async function fillSignUp({ page, who }: Person, dateOfBirth: string) {
  await page.getByLabel("First name").fill(who.firstName);
  await page.getByLabel("Last name").fill(who.lastName);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Phone number").fill(who.phone);
  await page.getByLabel("Date of birth").fill(dateOfBirth);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** The link of the newest mail to this person, from the inbox for developers. */
export async function verificationLink(person: Person): Promise<string> {
  const inbox = await person.context.newPage();
  await inbox.goto(`/dev/inbox?to=${encodeURIComponent(person.who.email)}`);
  const link = inbox.locator('a[href*="/verifyMail?token="]').first();
  await link.waitFor();
  const href = await link.getAttribute("href");
  await inbox.close();
  if (!href) throw new Error("The mail has no link.");
  return href;
}

/** Verifying logs in. */
export async function verify(person: Person) {
  await person.page.goto(await verificationLink(person));
  await person.page.getByLabel("Password you chose at sign-up").fill(person.who.password);
  await person.button("Verify my email").click();
  await person.toast("Success", "Your email is verified.");
  await person.at("/dashboard");
}

export async function logOut(person: Person) {
  await person.button("Your account").click();
  await person.page.getByRole("menuitem", { name: "Log out" }).click();
  await person.at("/login");
}

export async function fillLogin({ page, who }: Person) {
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Log in" }).click();
}

export async function logIn(person: Person) {
  await person.page.goto("/login");
  await fillLogin(person);
  await person.at("/dashboard");
}
