import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ajoInvitation,
  ajoStatus,
  ajoTab,
  approvesPot,
  joinAjo,
  nobodyOwes,
  paysDue,
  potHolds,
  requestsPot,
} from "./pages/ajo";
import { Caller } from "./pages/caller";
import { chooses, comesBackTo, enters, picks, tabTo, ticks, types } from "./pages/keys";
import { stepUp } from "./pages/people";
import { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { DESKTOP, openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const picture = pictures("ajolife");
const DOMAIN = "@demo.adashi.example";
const AJO = "Four of Yaba";
const HAND = "₦10,000.00";
const DAY_MS = 86_400_000;
const NAMES = ["amaka", "bisi", "chidi", "dayo", "efe"];

/** The day on which it begins: all of it is past today. */
const began = new Date(Date.now() - 45 * DAY_MS);
began.setUTCHours(9, 0, 0, 0);

let product: Product;
let browser: Browser;
const callers: Record<string, Caller> = {};
const screens: Record<string, Person> = {};
/** Who logged in before the clock was moved. */
const loggedOut = new Set<string>();
/** Who collects in cycle 1, 2, 3, 4. */
let turns: string[] = [];
let id = "";
let link = "";

const find = <T>(all: Record<string, T>, name: string): T => {
  const found = all[name];
  if (!found) throw new Error(`Nobody is called ${name}.`);
  return found;
};
const who = (name: string) => find(callers, name);
async function at(name: string) {
  const person = find(screens, name);
  if (loggedOut.delete(name)) await person.logsIn();
  return person;
}
const turn = (cycle: number) => turns[cycle - 1] ?? "";
const view = () => who(turns[0] ?? "amaka").do("GET", `/api/Ajo/GetAjoById/${id}`);

/** From now on it is then for the product, and whoever comes to a screen logs in again. */
async function itIs(then: Date) {
  await product.moveTo(`-${Math.round((Date.now() - then.getTime()) / 60_000)}m`);
  for (const name of NAMES) loggedOut.add(name);
}

const morningOf = (day: string, days = 0) => new Date(Date.parse(`${day}T09:00:00Z`) + days * DAY_MS);

async function opens(name: string, path = `/ajo/${id}`) {
  const person = await at(name);
  await person.goes(path);
  return person;
}

/** Has a pot paid out, by calls. */
async function paidByCalls(name: string, cycle: number) {
  const caller = who(name);
  const { mine } = await caller.do("GET", `/api/v1/ajo/${id}/payouts/${cycle}`);
  await caller.stepUp();
  const order = { ajoId: id, cycle, amount: mine, destination: "WALLET", userId: caller.id };
  await caller.do("POST", "/api/Payment/ajo-liquidation-request", order);
  const approve = async () => {
    for (const other of NAMES) {
      const { object } = await who(other).ask("GET", `/api/v1/ajo/${id}/payouts/${cycle}`);
      if (!object?.mayApprove) continue;
      await who(other).stepUp();
      await who(other).ask("POST", `/api/v1/ajo/${id}/payouts/${cycle}/approve`);
    }
    return (await caller.do("GET", `/api/v1/ajo/${id}/payouts/${cycle}`)).status;
  };
  // Who reads may not see yet that it was asked for.
  await expect.poll(approve, { timeout: 60_000 }).toBe("PAID");
}

/** From the wallet, by a call. */
async function pays(name: string, cycle: number) {
  const { me } = await who(name).do("GET", `/api/Ajo/GetAjoById/${id}`);
  await who(name).do("POST", `/api/v1/ajo/${id}/pay`, {
    what: "DUE",
    amount: 10_000,
    cycle,
    seat: me.seats[0],
    userId: who(name).id,
  });
}

/** Who may approve a payout, the owner or validator first; nobody while the request has not come to who reads. */
async function approversOf(cycle: number) {
  const payout = (name: string) =>
    who(name)
      .ask("GET", `/api/v1/ajo/${id}/payouts/${cycle}`)
      .then(({ object }) => object);
  const { needs } = await payout(turn(cycle)); // Anybody else may have left by now, even Amaka.
  const others = NAMES.filter((name) => who(name).name !== needs);
  const approvers: string[] = [];
  for (const name of [...NAMES.filter((name) => who(name).name === needs), ...others])
    if ((await payout(name))?.mayApprove) approvers.push(name);
  return approvers;
}

/** Two who may approve a payout do, at their screens; then it is paid. */
async function approved(cycle: number) {
  await expect.poll(async () => (await approversOf(cycle)).length, { timeout: 60_000 }).toBeGreaterThan(1);
  const approvers = await approversOf(cycle);
  for (const [done, name] of approvers.slice(0, 2).entries()) {
    const approver = await at(name);
    await approvesPot(approver, id, cycle);
    const { page } = approver;
    const dialog = page.getByRole("dialog", { name: "Please confirm that it is you" });
    // The page shows the payouts of earlier cycles too, which are paid.
    const is = (status: string) => page.locator(`[data-cycle="${cycle}"][data-payout="${status}"]`);
    const next = done === 0 ? page.getByText("1 of 2 approvals") : is("PAID");
    await dialog.or(next).first().waitFor();
    if (await dialog.isVisible()) await stepUp(approver); // The last time was too long ago.
    await is(done === 0 ? "PAYOUT_REQUESTED" : "PAID").waitFor();
    if (done === 0) await approver.sees("1 of 2 approvals");
  }
}

/** A job completes it. Where it does not come to the screen, what the server says tells whether it did. */
async function completes(person: Person) {
  await ajoStatus(person, "COMPLETED").catch(async ({ message }: Error) => {
    const { status, cycles } = await view();
    throw new Error(`${message}\nThe server has it ${status}, its cycles ${JSON.stringify(cycles)}.`);
  });
}

/** Asks for the pot at the screen, and two approve. Answers what whose turn it is gets. */
async function collects(name: string, cycle: number): Promise<string> {
  const gets = await requestsPot(await at(name), id, cycle);
  await approved(cycle);
  return gets;
}

async function funds(name: string, amount: number) {
  const caller = who(name);
  const started = await caller.do("POST", "/api/Wallet/FundWalletVfd", { amount, email: caller.login.email });
  await fetch(`${product.url}/sandbox/send`, {
    method: "POST",
    body: new URLSearchParams({ account: started.accountNumber, amount: String(amount), sender: caller.name }),
    redirect: "manual",
  });
  await opens(name, "/dashboard/wallet/");
}

describe("the whole life of an ajo of four", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: `-${Math.round((Date.now() - began.getTime()) / 60_000)}m` });
    browser = await openBrowser();
    const password = product.login?.password ?? "";
    for (const name of NAMES) {
      callers[name] = await Caller.logIn(product.url, { email: name + DOMAIN, password });
      const viewport = name === "bisi" || name === "dayo" ? PHONE : DESKTOP;
      screens[name] = await who(name).atScreen(browser, viewport);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("1 · is founded without a mouse", async () => {
    const amaka = await who("amaka").atScreen(browser);
    // The months in which one may begin are those of the browser's calendar.
    await amaka.context.addInitScript((ms) => {
      const shift = ms - Date.now();
      window.Date = class extends Date {
        constructor(...of: unknown[]) {
          super(...((of.length === 0 ? [Date.now() + shift] : of) as [number]));
        }
      } as DateConstructor;
    }, began.getTime());
    const { page } = amaka;
    await page.goto("/ajo/groups/all");
    const start = amaka.button("Start an ajo");
    await enters(amaka, start);
    const drawer = page.getByRole("dialog", { name: "Start an ajo" });
    await tabTo(amaka, drawer.getByRole("link", { name: /^Individual Ajo/ }));
    await page.keyboard.press("Escape");
    await comesBackTo(amaka, start);
    await page.keyboard.press("Enter");
    await enters(amaka, drawer.getByRole("link", { name: /^Group Ajo/ }));
    await types(amaka, page.getByLabel("Name of the ajo"), AJO);
    await types(amaka, page.getByLabel("Each hand pays each time"), "10,000");
    await types(amaka, page.getByLabel("How many hands?"), "4");
    await picks(amaka, page.getByLabel("How often"), "Weekly");
    await picks(
      amaka,
      page.getByLabel("First month"),
      began.toLocaleString("en-GB", { month: "long", timeZone: "UTC" }),
    );
    await enters(amaka, amaka.button("Continue"));
    await page.getByRole("heading", { name: "The order" }).waitFor();
    await chooses(amaka, page.getByRole("radio", { name: /^By a draw/ }));
    await enters(amaka, amaka.button("Continue"));
    await page.locator("[data-preview]").waitFor();
    await enters(amaka, amaka.button("Create the ajo"));
    await page.waitForURL(/\/ajo\/group\/invite\?ajoId=/);
    id = new URL(page.url()).searchParams.get("ajoId") ?? "";
    link = await ajoInvitation(amaka, id);
    await amaka.context.close();
  });

  it("2 · is joined without a mouse, and what is sealed stays so", async () => {
    const bisi = await opens("bisi", link);
    await chooses(bisi, bisi.page.getByRole("radio", { name: /^1 hand/ }));
    await ticks(bisi, bisi.page.getByLabel("I have read the terms and accept them."));
    await enters(bisi, bisi.button("Join the ajo"));
    await bisi.toast("Success", "Congratulations, you have successfully joined the group.");
    await enters(bisi, bisi.link("Open the ajo"));
    await ajoStatus(bisi, "OPEN");
    await joinAjo(await at("chidi"), link, /^1 hand/);
    await joinAjo(await at("dayo"), link, /^1 hand/);

    const amaka = await opens("amaka");
    await enters(amaka, amaka.button("Close the list"));
    await enters(amaka, amaka.page.getByRole("dialog").getByRole("button", { name: "Close it" }));
    await ajoStatus(amaka, "ORDERING");
    await amaka.sees("Nobody can know the draw before that moment.");
    await enters(amaka, amaka.page.getByRole("tab", { name: "Turns" }));
    await amaka.page.keyboard.press("ArrowRight");
    await amaka.page.keyboard.press("ArrowRight");
    await enters(amaka, amaka.page.getByText("Proof", { exact: true }));
    await amaka.sees("Seal of the list");
    await picture(amaka, "1-sealed");
    const efe = await opens("efe", link);
    await efe.sees("This list is closed.");
    await efe.goes(`/ajo/draw/${id}`);
    await efe.sees("There is no draw here");
  });

  it("3 · is drawn, and anybody can check it without logging in; not one byte of the file may change", async () => {
    await itIs(new Date(began.getTime() + 45 * 60_000));
    const amaka = await opens("amaka");
    await ajoStatus(amaka, "ACTIVE");
    const { cycles } = await view();
    turns = cycles.map(({ names }: { names: string }) => NAMES.find((name) => who(name).name === names));
    expect([...turns].sort()).toEqual(["amaka", "bisi", "chidi", "dayo"]);
    await picture(amaka, "2-turns");

    const stranger = await Person.arrive(browser, product.url, {
      firstName: "Any",
      lastName: "Body",
      email: "",
      phone: "",
      password: "",
    });
    const { page } = stranger;
    await page.goto(`/ajo/draw/${id}`);
    await stranger.sees("Every step holds, for a test");
    expect(await page.locator('[data-step="failed"]').count()).toBe(0);
    await picture(stranger, "3-draw");
    const keep = stranger.button("Download the file");
    const download = page.waitForEvent("download");
    await enters(stranger, keep);
    const file = readFileSync(await (await download).path());
    const open = async (buffer: Buffer) => {
      const chooser = page.waitForEvent("filechooser");
      await enters(stranger, stranger.button("Check a file"));
      await (await chooser).setFiles({ name: "draw.json", mimeType: "application/json", buffer });
    };
    await open(file);
    await stranger.sees("From the file draw.json");
    await stranger.sees("Every step holds, for a test");
    const proof = JSON.parse(file.toString("utf8"));
    const nonce: string = proof.seats[0].holders[0].nonce;
    for (const [from, to] of [
      [nonce, `${nonce.slice(0, -1)}${nonce.endsWith("0") ? "1" : "0"}`],
      [proof.signature, `${proof.signature.slice(0, -1)}${proof.signature.endsWith("0") ? "1" : "0"}`],
    ]) {
      await open(Buffer.from(file.toString("utf8").replace(from, to)));
      await stranger.sees(/^The draw does not hold:/);
      expect(await page.locator('[data-step="failed"]').count()).toBeGreaterThan(0);
    }
    await picture(stranger, "3-draw-changed");
    await enters(stranger, stranger.button("Back to the draw of this address"));
    await stranger.sees("Every step holds, for a test");
    await stranger.context.close();
  });

  it("4 · has a full first cycle, of which the pot is asked for, approved twice and paid, without a mouse", async () => {
    for (const name of NAMES) await funds(name, 60_000);
    const payer = await opens(turn(2));
    const pay = payer.button(new RegExp(`^Pay ${HAND}: Cycle 1`));
    await enters(payer, pay);
    await tabTo(payer, payer.page.getByRole("dialog").getByRole("button", { name: "Not now" }));
    await payer.page.keyboard.press("Escape");
    await comesBackTo(payer, pay);
    await payer.page.keyboard.press("Enter");
    await enters(payer, payer.page.getByRole("dialog").getByRole("button", { name: `Pay ${HAND}` }));
    await potHolds(payer, 1_000_000);
    await pays(turn(3), 1);
    await potHolds(payer, 2_000_000);
    await pays(turn(4), 1);
    // Who collects has their own due taken out of the pot.
    await payer.sees(`The pot of cycle 1 is ready for ${who(turn(1)).name}`);
    const collector = await opens(turn(1), `/ajo/${id}/payment-requests?cycle=1`);
    await enters(collector, collector.button("Request payment"));
    const modal = collector.page.getByRole("dialog", { name: "Request the pot of cycle 1" });
    await modal.locator('[data-you-get] [data-naira="₦29,600.00"]').waitFor();
    await enters(collector, modal.getByRole("button", { name: "Ask for ₦29,600.00" }));
    await stepUp(collector);
    await modal.waitFor({ state: "hidden" });
    await collector.sees("0 of 2 approvals");
    expect(await collector.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    await approved(1);
    await picture(collector, "4-paid");
  });

  it("5 · swaps the last two turns once both and the owner agree, and says so", async () => {
    const [one, other] = [turn(3), turn(4)];
    const seatOf = async (name: string) => (await who(name).do("GET", `/api/Ajo/GetAjoById/${id}`)).me.seats[0];
    const proposer = await opens(one, `/ajo/${id}?tab=more`);
    await proposer.page.getByLabel("With", { exact: true }).selectOption(String(await seatOf(other)));
    await proposer.button("Propose a swap").click();
    await proposer.page.locator("[data-swap]").waitFor();
    for (const name of new Set([other, "amaka"])) {
      if (name === one) continue;
      const person = await opens(name, `/ajo/${id}?tab=more`);
      const agree = person.button(/^Agree to swap/);
      await agree.click();
      await agree.waitFor({ state: "hidden" });
    }
    turns = [turn(1), turn(2), other, one];
    await ajoTab(proposer, "Turns");
    await proposer.page.locator('[data-turn="3"]', { hasText: who(other).name }).waitFor();
    await proposer.sees(`Seat ${await seatOf(other)} (${who(other).name}) collects in cycle 3, not 4.`);
    await picture(proposer, "5-swapped");
  });

  it("6 · has a second cycle that is short: one is covered for, one does not pay and owes by name", async () => {
    await itIs(morningOf((await view()).cycles[1].opens));
    await pays(turn(1), 2);
    const coverer = await opens(turn(1), `/ajo/${id}?tab=payments`);
    const covered = who(turn(4)).name;
    await coverer.button(`Pay for ${covered}`).click();
    const dialog = coverer.page.getByRole("dialog", { name: `Pay ${HAND} from your wallet?` });
    await dialog.getByText("They owe it to you then.").waitFor();
    await dialog.getByRole("button", { name: `Pay ${HAND}` }).click();
    await dialog.waitFor({ state: "hidden" });
    await coverer.sees(`Covered by ${who(turn(1)).name}`);
    await coverer.sees(new RegExp(`${covered}\\)? owes you ${HAND}`));
    await picture(coverer, "6-covered");
    const debtor = await opens(turn(4));
    await debtor.sees(new RegExp(`You owe .*${HAND}`));
    await debtor.button(/^Pay ₦10,000.00: You owe/).click();
    const owed = debtor.page.getByRole("dialog", { name: `Pay ${HAND} from your wallet?` });
    await owed.getByRole("button", { name: `Pay ${HAND}` }).click();
    await owed.waitFor({ state: "hidden" });
    await nobodyOwes(debtor);

    await itIs(morningOf((await view()).cycles[1].deadline, 1));
    const collector = await opens(turn(2), `/ajo/${id}?tab=payments`);
    await collector.sees("Your pot of cycle 2 is ready");
    await collector.sees(new RegExp(`${who(turn(3)).name}\\)? owes you ₦10,500.00`));
    await picture(collector, "6-short");
    const late = await opens(turn(3));
    await late.sees(new RegExp(`You owe .*${who(turn(2)).name}.*₦10,500.00`));
    await picture(late, "6-owes");
    expect(await collects(turn(2), 2)).toBe("₦19,700.00");
  });

  it("7 · lets who owes wait: the turn moves behind, and then the debt is paid", async () => {
    const [late, next] = [turn(3), turn(4)];
    const debtor = await opens(late);
    // The pot is full for who comes next once all others have paid: their own due is taken out of it.
    for (const name of [turn(1), turn(2), late]) await pays(name, 3);
    turns = [turn(1), turn(2), next, late];
    await debtor.page.locator('[data-turn="3"]', { hasText: who(next).name }).waitFor();
    await debtor.sees(`The pot of cycle 3 is ready for ${who(next).name}`);
    await debtor.button(/^Pay ₦10,500.00: You owe/).click();
    await debtor.page.getByRole("dialog").getByRole("button", { name: "Pay ₦10,500.00" }).click();
    await nobodyOwes(debtor);
    await picture(debtor, "7-caught-up");
  });

  it("8 · is left by one who has not collected, and Efe takes the place over at par", async () => {
    const leaver = await opens(turn(4), `/ajo/${id}?tab=more`);
    await leaver.button(/^Give it up: seat/).click();
    await leaver.page.getByRole("dialog").getByRole("button", { name: "Offer it" }).click();
    await leaver.sees("Whoever takes it over pays ₦30,000.00.");
    const efe = await opens("efe", link);
    await efe.sees("A place is free to take over");
    await picture(efe, "8-place");
    await efe.button(/^Take over seat/).click();
    await efe.page.getByRole("dialog").getByRole("button", { name: "Take it over" }).click();
    await efe.link("Open the ajo").click();
    await ajoStatus(efe, "ACTIVE");
    await leaver.goes(`/ajo/${id}`);
    await leaver.sees("There is no such ajo for you"); // They owe nothing.
    turns[3] = "efe";
  });

  it("9 · is completed with its last cycle", async () => {
    await itIs(morningOf((await view()).cycles[3].opens));
    const payer = await opens(turn(1));
    await paysDue(payer, HAND);
    for (const name of [turn(2), turn(3)]) await pays(name, 4);
    await payer.sees("The pot of cycle 4 is ready for Efe Omoregie");
    await paidByCalls(turn(3), 3);
    expect(await collects("efe", 4)).toBe("₦29,600.00");
    await payer.goes(`/ajo/${id}`);
    await completes(payer);
    await nobodyOwes(payer);
    await picture(payer, "9-completed");
  });

  it("10 · is audited by keys: one payment is queried, its payer told, and it is resolved; then the rest", async () => {
    const audits = async (name: string) =>
      (await who(name).ask("GET", `/api/Ajo/GetAjoById/${id}`)).object?.me.isValidator === true;
    const validator = (await Promise.all(NAMES.map(audits))).indexOf(true);
    const auditor = await opens(NAMES[validator] ?? "");
    await ajoTab(auditor, "More");
    await auditor.link("See the audit").click();
    await auditor.sees("You collect last, so you audit");
    const rows = auditor.page.locator("[data-audit]");
    await rows.first().waitFor();
    await auditor.page.keyboard.press("q");
    await auditor.page.keyboard.type("Whose money was it?");
    await auditor.page.keyboard.press("Tab");
    await auditor.page.getByRole("dialog").getByRole("button", { name: "Query" }).click();
    await auditor.page.getByLabel("Show").selectOption("Queried");
    await expect.poll(() => rows.count()).toBe(1);
    await picture(auditor, "10-queried");
    const row = (await rows.first().textContent()) ?? "";
    const payer = NAMES.find((name) => row.includes(who(name).name)) ?? "";
    await auditor.page.keyboard.press("r");
    await auditor.page.keyboard.type("It was theirs.");
    await auditor.page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    await auditor.page.getByLabel("Show").selectOption("To do");
    await auditor.button("Choose all shown").click();
    await auditor.page.keyboard.press("v");
    await auditor.page.getByRole("dialog").getByRole("button", { name: "Validate" }).click();
    await auditor.page.getByLabel("Show").selectOption("All");
    await auditor.page.locator("[data-question]").getByText("It was theirs.").filter({ visible: true }).waitFor();
    await picture(auditor, "10-audited");
    const told = await opens(payer, "/dashboard/notifications");
    await told.sees("A payment is queried");
    expect(Object.values(screens).flatMap(({ problems }) => problems)).toEqual([]);
    expect(await product.verify()).toMatch(/every|holds|ok/i);
  });
});
