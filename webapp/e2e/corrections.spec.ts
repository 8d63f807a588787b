import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller } from "./pages/caller";
import { stands } from "./pages/disputes";
import { stepUp } from "./pages/people";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { sendToOurAccount } from "./pages/wallet";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const DOMAIN = "@demo.adashi.example";
/** When the group begins: its first due ends with the month, and may be paid for five days more. */
const began = new Date();
began.setUTCMonth(began.getUTCMonth() - 3, 2);
began.setUTCHours(9, 0, 0, 0);
/** A day of the month after it. */
const next = (day: number) => {
  const then = new Date(began);
  then.setUTCMonth(began.getUTCMonth() + 1, day);
  return then;
};
const clock = (then: Date) => `-${Math.round((Date.now() - then.getTime()) / 60_000)}m`;
/** A moment as a field for one in Lagos time takes it. */
const field = (then: Date) => new Date(then.getTime() + 3_600_000).toISOString().slice(0, 16);

let product: Product;
let browser: Browser;
const crowd: Record<string, Caller> = {};
const screens: Person[] = [];
let group = "";
let dues = "";
let kase = "";

const taken = pictures("corrections");
const who = (name: string): Caller => {
  const caller = crowd[name];
  if (!caller) throw new Error(`Nobody is called ${name}.`);
  return caller;
};

async function atScreen(name: string, viewport?: typeof PHONE) {
  const person = await who(name).atScreen(browser, viewport);
  screens.push(person);
  return person;
}

const unsettled = () => who("efe").do("GET", `/api/GroupSavings/user-unsettled-payments/${group}/${who("efe").id}`);

async function approves(name: string) {
  const admin = await atScreen(name);
  await admin.goes(`/support/${kase}`);
  await admin.button("Approve").click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await stepUp(admin);
  return admin;
}

describe("a fine that was not due, from the lab to the member's page", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: clock(began) });
    browser = await openBrowser();
    const password = product.login?.password ?? "";
    for (const name of ["amaka", "bisi", "chidi", "dayo", "efe", "sade", "uche", "yemi"]) {
      crowd[name] = await Caller.logIn(product.url, { email: name + DOMAIN, password });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("begins with money that came in time, without a word of whose it is", async () => {
    const amaka = who("amaka");
    const made = await amaka.do("POST", "/api/GroupSavings/CreateGroupSavings", {
      name: "Harvest Circle",
      description: "To pay for the harvest",
      amount: 5000,
      memberCapacity: 12,
      startMonthId: began.getUTCMonth() + 1,
      monthlyDues: false,
      userEmail: amaka.login.email,
    });
    group = made.id;
    for (const name of ["bisi", "chidi", "dayo", "efe"]) {
      await amaka.do("POST", "/api/GroupSavings/AddGroupMember", { groupId: group, email: who(name).login.email });
      await who(name).do("POST", `/api/v1/savings/invitations/${group}/accept`);
    }
    await amaka.do("POST", `/api/v1/savings/groups/${group}/approvers`, { memberId: who("bisi").id });
    await amaka.do("PATCH", "/api/GroupSavings/SetGroupValidator", { groupId: group, memberId: who("dayo").id });
    const opened = await amaka.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: group,
      name: "Harvest dues",
      paymentType: "FIXED",
      paymentFrequency: "MONTHLY",
      amountPayable: 5000,
      graceDays: 5,
      penaltyType: "FLAT",
      penaltyAmount: 500,
      userId: amaka.id,
    });
    dues = opened.id;
    await product.moveTo(clock(next(3)));
    const efe = await atScreen("efe", PHONE);
    await sendToOurAccount(efe, "5000", "EFE OKORO");
    await product.moveTo(clock(next(9)));
    await efe.logsIn();
    await expect.poll(async () => (await unsettled()).dues[0]?.penalty, { timeout: 60_000, interval: 500 }).toBe(500);
    await efe.goes(`/savings/${group}/unsettled-payments`);
    await efe.sees("₦500.00 of it is a penalty for being late");
    await taken(efe, "1-fined");
    const dispute = await who("efe").do("POST", "/api/v1/disputes", {
      kind: "FINED_IN_TIME",
      words: "I sent the money from my bank before the days of grace were over, and I was fined.",
      groupId: group,
      subAccountId: dues,
      amount: 5000,
      paidOn: next(3).toISOString().slice(0, 10),
    });
    kase = dispute.id;
  });

  it("is tried in the lab, which makes a correction of itself", async () => {
    const sade = await atScreen("sade");
    await sade.goes(`/support/${kase}`);
    await sade.button("Take it").click();
    await stands(sade, "INVESTIGATING");
    await sade.page.getByLabel("When, in Lagos time?").fill(field(next(3)));
    await sade.button("Add this").click();
    await sade.button("Show what would have followed").click();
    await sade.page.locator('[data-line="REFUSED"]').first().waitFor();
    await taken(sade, "2-lab");
    await sade.button("Propose this as a correction").click();
    const made = sade.page.locator("[data-of-lab]");
    await made.waitFor();
    await sade.sees("All of what the lab shows.");
    await sade.page
      .locator('[data-held="right"]')
      .getByText(/^Penalty of Harvest dues for /)
      .waitFor();
    await taken(sade, "3-of-lab", sade.page.locator("section, div").filter({ has: made }).last());
    await taken(sade, "4-case");
    await sade.page.getByLabel("Why is this right?").fill("The bank had it on the third, within the days of grace.");
    await sade.button("Propose it").click();
    await sade.page.getByRole("dialog").getByRole("button", { name: "Propose it" }).click();
    await sade.page.locator('[data-plan="PROPOSED"]').waitFor();
    await taken(sade, "5-proposed");
  });

  it("is approved by two Admins, and the fine is gone from the member's page", async () => {
    const uche = await approves("uche");
    await uche.sees("Approved by Uche O.: 1 of 2.");
    const yemi = await approves("yemi");
    await yemi.page.locator('[data-plan="APPLIED"]').waitFor();
    await taken(yemi, "6-applied");
    const { dues: left } = await unsettled();
    expect(left.every(({ penalty }: { penalty?: number }) => !penalty)).toBe(true);
    const efe = screens[0] as Person;
    await efe.goes(`/savings/${group}/unsettled-payments`);
    await efe.page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => efe.page.getByText("is a penalty for being late").count()).toBe(0);
    await taken(efe, "7-gone");
    await efe.goes(`/disputes/${kase}`);
    await efe.page.locator('[data-step="PLAN_APPLIED"]').waitFor();
    await taken(efe, "8-dispute");
  });

  it("pays from Adashi's own account what no other step reaches, and the member sees it", async () => {
    const sade = screens[1] as Person;
    await sade.goes(`/support/${kase}`);
    await sade.button("Propose a correction").click();
    await sade.page.getByRole("radio", { name: /Adashi's own account/ }).check();
    await sade.page.getByLabel("How much", { exact: true }).fill("250");
    await sade.button("Add this step").click();
    await sade.button("Show the entries").click();
    await sade.page.locator("[data-effects]").getByText("Adashi's own account").waitFor();
    await sade.page.getByLabel("Why is this right?").fill("Her bank charged her for the calls that she made to us.");
    await taken(sade, "9-adjust");
    await sade.button("Propose it").click();
    await sade.page.getByRole("dialog").getByRole("button", { name: "Propose it" }).click();
    await sade.page.locator('[data-plan="PROPOSED"]').waitFor();
    for (const name of ["uche", "yemi"]) await approves(name);
    const efe = screens[0] as Person;
    await efe.goes("/dashboard/activity");
    await efe.page.getByText("Put right by Adashi").first().click();
    await efe.sees("Our own account");
    await taken(efe, "10-movement");
  });

  it("nobody's browser complained", () => {
    expect(screens.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
