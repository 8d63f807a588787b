import type { Browser } from "playwright-core";
import type { PHONE } from "../product.mjs";
import { mailedLink } from "./people";
import { Person } from "./person";

interface Newcomer {
  name: string;
  /** Keeps their address apart. */
  where: string;
  /** Keeps their telephone number apart. */
  digit: number;
  viewport?: typeof PHONE;
}

/** Somebody new who is logged in, with a window of their own. */
export async function newcomer(browser: Browser, url: string, as: Newcomer) {
  const person = await registered(browser, url, as);
  await person.logsIn();
  return person;
}

/** Somebody new who has yet to log in: a role that is granted counts from the next login on. */
export async function registered(browser: Browser, url: string, { name, where, digit, viewport }: Newcomer) {
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
  await registers(person);
  return person;
}

/** Signs somebody up and verifies their mail by calls: people.spec.ts does it at the screen. */
export async function registers(person: Person) {
  const { context, who } = person;
  const call = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data });
    if (!answer.ok()) throw new Error(`${who.email}: ${path}: ${await answer.text()}`);
  };
  await call("/api/Account/Register", { ...who, dateOfBirth: "1990-05-17" });
  const token = new URL(await mailedLink(person, "/verifyMail")).searchParams.get("token");
  await call("/api/v1/account/verify-email", { token, password: who.password });
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

/** Verifying logs in. */
export async function verify(person: Person) {
  await person.page.goto(await mailedLink(person, "/verifyMail"));
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
