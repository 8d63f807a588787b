import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller } from "./pages/caller";
import { disputesPayout, tells } from "./pages/disputes";
import {
  agrees,
  asksToPay,
  coverage,
  covers,
  leaves,
  opensRequest,
  requestState,
  says,
  validatesAll,
} from "./pages/groupMoney";
import type { Person } from "./pages/person";
import { snapshots } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const DOMAIN = "@demo.adashi.example";
const GTB = "058";

/** The first of the month in which the quarter begins: three before this one, so that all of it is past. */
const began = new Date();
began.setUTCMonth(began.getUTCMonth() - 3, 1);
began.setUTCHours(9, 0, 0, 0);

/** How far back that day of the quarter's month (0 to 2, 3 is after it) is. */
function clock(month: number, day: number) {
  const then = new Date(began);
  then.setUTCMonth(began.getUTCMonth() + month, day);
  return `-${Math.round((Date.now() - then.getTime()) / 60_000)}m`;
}
const monthId = (month: number) => ((began.getUTCMonth() + month) % 12) + 1;

let product: Product;
let browser: Browser;
const crowd: Record<string, Caller> = {};
const NAMES = "amaka bisi chidi dayo efe fatima gozie halima ife jide kemi ladi".split(" ");
const who = (name: string): Caller => {
  const caller = crowd[name];
  if (!caller) throw new Error(`Nobody is called ${name}.`);
  return caller;
};
const screens: Person[] = [];
let group = "";
let dues = "";
let welfare = "";

const snapshot = snapshots("quarter");
const picture = ({ page }: Person, name: string) => snapshot(page, name, true);

async function atScreen(name: string, viewport?: { width: number; height: number }) {
  const person = await who(name).atScreen(browser, viewport);
  screens.push(person);
  return person;
}

/** Asks until the answer is as it should be: what jobs do takes a moment. */
async function until<T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean, limit = 60_000): Promise<T> {
  const late = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > late) throw new Error(`${what}: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const form = (path: string, fields: Record<string, string>) =>
  fetch(product.url + path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

async function fund(name: string, amount: number) {
  const { url: _, ...caller } = who(name);
  const started = await who(name).do("POST", "/api/Wallet/FundWalletVfd", { amount, email: caller.login.email });
  await form("/sandbox/send", { account: started.accountNumber, amount: String(amount), sender: caller.name });
  await until(
    `${name} is funded`,
    () => who(name).do("POST", "/api/Payment/verifyFirstTransaction", { transactionRef: started.transactionRef }),
    ({ status }) => status === "CONFIRMED",
  );
}

const pay = (name: string, amount: number, subAccountId = dues) =>
  who(name).do("POST", "/api/Wallet/make-payment-with-wallet", { amount, subAccountId, userId: who(name).id });

const unsettled = (name: string) =>
  who(name).do("GET", `/api/GroupSavings/user-unsettled-payments/${group}/${who(name).id}`);

/** What a sub-account holds and has set aside, as its officials see it. */
async function holds(subAccountId = dues): Promise<{ balance: number; held: number }> {
  const { SubAccounts } = await who("amaka").do("GET", `/api/GroupSavings/GetGroupSubAccounts/${group}`);
  const { balance, held } = SubAccounts.find(({ id }: { id: string }) => id === subAccountId);
  return { balance, held };
}

const liquidation = (name: string, id: string) => who(name).do("GET", `/api/v1/savings/liquidations/${id}`);

/** Asks for money of the dues, as quoted. */
async function asksFor(name: string, amount: number, kind: string, reason: string, payee = {}) {
  const quote = await who(name).do("POST", "/api/v1/savings/liquidations/quote", {
    subAccountId: dues,
    amount,
    kind,
    ...payee,
  });
  await who(name).stepUp();
  const asked = await who(name).do("POST", "/api/GroupSavings/group-savings-liquidation-vfd", {
    groupId: group,
    subAccountId: dues,
    amount,
    net: quote.net,
    kind,
    reason,
    userId: who(name).id,
    ...payee,
  });
  return asked.id as string;
}

const decides = (name: string, id: string, how: "approve" | "reject", reason?: string) =>
  who(name).do(
    "POST",
    `/api/GroupSavings/validate-liquidation-request/${group}/${id}/${how}`,
    reason ? { reason } : {},
  );

describe("a quarter of a group of twelve", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true, clock: clock(0, 2) });
    browser = await openBrowser();
    const password = product.login?.password ?? "";
    for (const name of NAMES) crowd[name] = await Caller.logIn(product.url, { email: name + DOMAIN, password });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("is founded, its people are invited and approved, and it becomes active", async () => {
    const amaka = who("amaka");
    const made = await amaka.do("POST", "/api/GroupSavings/CreateGroupSavings", {
      name: "Harvest Circle",
      description: "A quarter of saving",
      amount: 5000,
      memberCapacity: 12,
      startMonthId: monthId(0),
      monthlyDues: false,
      userEmail: amaka.login.email,
    });
    group = made.id;
    for (const name of ["bisi", "chidi", "dayo"]) {
      await amaka.do("POST", "/api/GroupSavings/AddGroupMember", { groupId: group, email: who(name).login.email });
      await who(name).do("POST", `/api/v1/savings/invitations/${group}/accept`);
    }
    const { invitationLink } = await amaka.do("GET", `/api/GroupSavings/GetGroupSavingsInfo/${group}`);
    const code = new URL(invitationLink).searchParams.get("code");
    for (const name of NAMES.slice(4))
      await who(name).do("POST", "/api/GroupSavings/JoinGroupSavings", {
        groupId: group,
        code,
        email: who(name).login.email,
      });
    const let_in = await amaka.do("POST", "/api/v1/savings/members/bulk", {
      groupId: group,
      action: "APPROVE",
      memberIds: NAMES.slice(4).map((name) => who(name).id),
    });
    expect(let_in).toEqual({ done: 8, refused: [] });
    await amaka.do("POST", `/api/v1/savings/groups/${group}/approvers`, { memberId: who("bisi").id });
    await amaka.do("POST", `/api/v1/savings/groups/${group}/approvers`, { memberId: who("chidi").id });
    await amaka.do("PATCH", "/api/GroupSavings/SetGroupValidator", { groupId: group, memberId: who("dayo").id });
    const info = await amaka.do("GET", `/api/GroupSavings/GetGroupSavingsInfo/${group}`);
    expect(info).toMatchObject({ status: "ACTIVE", memberCount: 12, missing: [] });
    const opened = await amaka.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: group,
      name: "Monthly dues",
      paymentType: "FIXED",
      paymentFrequency: "MONTHLY",
      amountPayable: 5000,
      graceDays: 5,
      penaltyType: "FLAT",
      penaltyAmount: 500,
      userId: amaka.id,
    });
    dues = opened.id;
    const hidden = await amaka.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: group,
      name: "Welfare",
      paymentType: "FLEXIBLE",
      paymentFrequency: "MONTHLY",
      amountPayable: 1000,
      showTotalToMembers: false,
      userId: amaka.id,
    });
    welfare = hidden.id;
    for (const name of NAMES) await fund(name, 30_000);
  });

  it("takes the first month's dues: in parts, for a friend, and one that the bank brings late", async () => {
    await product.moveTo(clock(0, 20));
    for (const name of NAMES.filter((name) => !["efe", "fatima", "ladi"].includes(name))) await pay(name, 5000);
    await pay("efe", 2000);
    const gozie = await atScreen("gozie", PHONE);
    await covers(gozie, dues, who("fatima").name, "₦5,000.00");
    await gozie.context.close();
    expect((await unsettled("fatima")).total).toBe(0);
    expect((await unsettled("efe")).dues[0]).toMatchObject({ status: "PARTIAL", outstanding: 3000 });

    // Within the days of grace Ladi sends the money, and the bank tells of it five days later.
    await product.moveTo(clock(1, 4));
    const started = await who("ladi").do("POST", "/api/GroupSavings/SubAccountPaymentVfd", {
      amount: 5000,
      subAccountId: dues,
      userId: who("ladi").id,
      channel: "BANK_TRANSFER",
    });
    await form("/sandbox/send", {
      account: started.accountNumber,
      amount: "5000",
      sender: "Ladi Danjuma",
      delay: String(5 * 24 * 3600),
    });

    await product.moveTo(clock(1, 7));
    for (const name of ["ladi", "efe"])
      await until(
        `${name} has a penalty`,
        () => unsettled(name),
        ({ dues }) => dues[0]?.penalty === 500,
      );
    await product.moveTo(clock(1, 12));
    await until(
      "Ladi's penalty is taken back",
      () => unsettled("ladi"),
      ({ dues }) => dues.every(({ penalty }: { penalty?: number }) => !penalty),
    );
    expect((await unsettled("efe")).dues[0]).toMatchObject({ status: "OVERDUE", penalty: 500, outstanding: 3500 });
    const efe = await atScreen("efe", PHONE);
    await efe.goes(`/savings/${group}/unsettled-payments`);
    await efe.sees("₦500.00 of it is a penalty for being late");
    await picture(efe, "1-what-efe-owes");
    await efe.context.close();
  });

  it("takes the second month's, and hides what its owner hides", async () => {
    for (const name of NAMES.filter((name) => name !== "efe")) await pay(name, 5000);
    await pay("efe", 8500);
    for (const name of NAMES) expect((await unsettled(name)).total, name).toBe(0);
    for (const [name, amount] of [
      ["bisi", 1234.56],
      ["kemi", 2345.67],
      ["jide", 3456.78],
    ] as const)
      await pay(name, amount, welfare);
    const secrets = ["7037.01", "7,037.01", "1234.56", "1,234.56", "2345.67", "3456.78"];
    const ife = who("ife");
    const readable = [
      `/api/GroupSavings/GetGroupSavingsInfo/${group}`,
      `/api/GroupSavings/GetGroupDetails/${group}`,
      `/api/GroupSavings/GetUserGroupSavings/${ife.id}`,
      `/api/GroupSavings/GetGroupSubAccounts/${group}`,
      `/api/GroupSavings/sub-account/${welfare}/${ife.id}`,
      `/api/GroupSavings/member-savings/${group}`,
      `/api/v1/savings/groups/${group}/charts`,
      `/api/GroupSavings/get-savings-liquidation-request-list/${group}`,
      "/api/v1/savings/search?q=Harvest",
      "/api/v1/dashboard",
      "/api/v1/activity",
      "/api/v1/activity/export.csv",
      "/api/Notification/all",
      "/api/v1/account/export",
    ];
    for (const path of readable) {
      const { status, text } = await ife.ask("GET", path);
      expect([path, status]).toEqual([path, path.includes("account/export") ? 403 : 200]);
      for (const secret of secrets) expect(text, path).not.toContain(secret);
    }
    const history = await ife.ask("POST", "/api/GroupSavings/savings-payment-history", { groupId: group, all: true });
    for (const secret of secrets) expect(history.text).not.toContain(secret);
    for (const closed of [
      `/api/GroupSavings/savings-payment-history-admin/${group}`,
      `/api/v1/savings/groups/${group}/book.csv`,
      `/api/v1/savings/groups/${group}/grid`,
      `/api/v1/savings/groups/${group}/audit`,
      `/api/v1/savings/groups/${group}/unsettled`,
      `/api/GroupSavings/user-unsettled-payments/${group}/${who("kemi").id}`,
    ])
      expect([closed, (await ife.ask("GET", closed)).status]).toEqual([closed, 403]);
    const looks = await atScreen("ife", PHONE);
    await looks.goes(`/savings/${group}`);
    await looks.page
      .locator("[data-group-total]")
      .getByText(/hidden/i)
      .waitFor();
    await picture(looks, "2-hidden-from-ife");
    await looks.context.close();
    const officials = await who("dayo").ask("GET", `/api/GroupSavings/GetGroupSubAccounts/${group}`);
    expect(officials.text).toContain("7037.01");
  });

  it("pays a bill of the group's once its validator and two approvers agree, and frees what is refused", async () => {
    await product.moveTo(clock(1, 16));
    await form("/sandbox/people", {
      first_name: "Mama",
      last_name: "Caterer",
      bank: GTB,
      account: "1234500001",
      bvn: "22345678901",
    });
    const payee = { bankCode: GTB, accountNumber: "1234500001" };
    const before = await holds();
    const bisi = await atScreen("bisi", PHONE);
    const bill = await asksToPay(bisi, group, {
      subAccount: "Monthly dues",
      amount: "20,000",
      reason: "Food for the harvest feast",
      bank: "Guaranty",
      account: payee.accountNumber,
      payee: "CATERER MAMA",
      net: "₦19,923.12",
    });
    expect(await holds()).toEqual({ balance: before.balance - 20_000, held: before.held + 20_000 });
    const own = await who("bisi").ask(
      "POST",
      `/api/GroupSavings/validate-liquidation-request/${group}/${bill}/approve`,
      {},
    );
    expect(own.status).toBe(403);
    const dayo = await atScreen("dayo");
    await opensRequest(dayo, group, bill);
    await agrees(dayo, "Validate");
    await requestState(bisi, "VALIDATED");
    await dayo.context.close();
    for (const name of ["amaka", "chidi"]) {
      const approver = await atScreen(name);
      await opensRequest(approver, group, bill);
      await agrees(approver, "Approve");
      await approver.context.close();
    }
    await requestState(bisi, "APPROVED");
    await bisi.page
      .getByText(/at the earliest/)
      .first()
      .waitFor();
    for (const name of ["fatima", "gozie"]) {
      const member = await atScreen(name, PHONE);
      await opensRequest(member, group, bill);
      await says(member, "Object", "Nobody told us what the feast costs.");
      if (name === "gozie") {
        await requestState(member, "ON_HOLD");
        await picture(member, "3-bill-on-hold");
        await disputesPayout(member, "1,500");
        await picture(member, "3-bill-in-dispute");
        await tells(member, "A feast for twelve does not cost this much.");
        await member.sees(/^Held: ₦1,500\.00, until /);
      }
      await member.context.close();
    }
    await requestState(bisi, "ON_HOLD");
    await bisi.sees(/^₦1,500\.00 of this sub-account is in dispute/);
    for (const name of ["amaka", "chidi"]) {
      const approver = await atScreen(name);
      await opensRequest(approver, group, bill);
      await says(approver, "Answer and let it go on", "We agreed on it at the meeting of June.");
      await approver.context.close();
    }
    await requestState(bisi, "APPROVED");
    await bisi.context.close();
    await product.moveTo(clock(1, 19));
    await until(
      "the bill is paid once its notice is over",
      () => liquidation("bisi", bill),
      ({ status }) => status === "PAID",
    );
    const paid = await atScreen("bisi", PHONE);
    await opensRequest(paid, group, bill);
    await requestState(paid, "PAID");
    await picture(paid, "3-bill-paid");
    await paid.context.close();
    expect(await holds()).toEqual({ balance: before.balance - 20_000, held: before.held });

    const refused = await asksFor("chidi", 15_000, "GROUP_DISBURSEMENT", "Chairs that we have already", payee);
    expect((await holds()).held).toBe(before.held + 15_000);
    await decides("dayo", refused, "reject", "We have chairs.");
    expect(await liquidation("chidi", refused)).toMatchObject({
      status: "VALIDATION_REJECTED",
      endReason: "We have chairs.",
    });
    expect(await holds()).toEqual({ balance: before.balance - 20_000, held: before.held });
  });

  it("owes for a daily thrift from the day it is opened, not from the first of the month", async () => {
    const halima = who("halima");
    const groups = await halima.do("GET", `/api/GroupSavings/GetUserGroupSavings/${halima.id}`);
    const market = groups.find(({ name }: { name: string }) => name === "Mile 12 Market Women").id;
    const { id } = await halima.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: market,
      name: "Daily thrift",
      paymentType: "FIXED",
      paymentFrequency: "DAILY",
      amountPayable: 100,
      penaltyType: "FLAT",
      penaltyAmount: 50,
      userId: halima.id,
    });
    const jide = await atScreen("jide", PHONE);
    await jide.goes(`/savings/sub-account/${id}`);
    await jide.page.getByRole("heading", { name: "Daily thrift" }).waitFor();
    await picture(jide, "4-daily-thrift");
    const { dues: all } = await who("jide").do("GET", `/api/GroupSavings/sub-account/${id}/${who("jide").id}`);
    const owed = all.filter(({ status }: { status: string }) => status !== "SCHEDULED");
    expect(owed).toMatchObject([{ status: "DUE", outstanding: 100 }]);
    await jide.context.close();
  });

  it("is not emptied by its owner and two friends", async () => {
    const amaka = who("amaka");
    const mine = await amaka.do("GET", `/api/Account/GetUserInfoById/${amaka.id}`);
    const payee = { bankCode: mine.bankCode, accountNumber: mine.bankAccountNumber };
    const before = await holds();
    const own = await asksFor("amaka", before.balance, "GROUP_DISBURSEMENT", "A personal matter", payee);
    await amaka.do("PATCH", "/api/GroupSavings/SetGroupValidator", { groupId: group, memberId: who("kemi").id });
    await amaka.do("POST", `/api/v1/savings/groups/${group}/approvers`, { memberId: who("ladi").id });
    for (const honest of ["bisi", "chidi"])
      await amaka.ask("DELETE", `/api/v1/savings/groups/${group}/approvers/${who(honest).id}`);
    for (const friend of ["kemi", "ladi"]) {
      const puppet = await atScreen(friend, PHONE);
      await opensRequest(puppet, group, own);
      const sheet = puppet.page.getByRole("dialog", { name: "Request" });
      await sheet.getByText("Who decides", { exact: true }).waitFor();
      expect(await sheet.getByRole("button", { name: /^(Validate|Approve)$/ }).count()).toBe(0);
      await puppet.context.close();
    }
    expect(await liquidation("amaka", own)).toMatchObject({ status: "REQUESTED", ownAccount: true });
    const told = await who("efe").do("GET", "/api/Notification/all");
    const titles = told.notifications.map(({ data }: { data: { title: string } }) => data.title);
    for (const title of ["A new validator", "A new approver", "One approver less"]) expect(titles).toContain(title);
    expect(titles.some((title: string) => /is asked to pay/.test(title))).toBe(true);
    await amaka.do("POST", `/api/v1/savings/liquidations/${own}/cancel`);
    const again = await amaka.ask("POST", "/api/GroupSavings/group-savings-liquidation-vfd", {
      groupId: group,
      subAccountId: dues,
      amount: 1000,
      net: 989.25,
      kind: "GROUP_DISBURSEMENT",
      reason: "A personal matter",
      userId: amaka.id,
      ...payee,
    });
    expect(again.status).toBe(409);
    expect(again.text).toContain("three days after it began");
    await amaka.do("PATCH", "/api/GroupSavings/SetGroupValidator", { groupId: group, memberId: who("dayo").id });
    for (const honest of ["bisi", "chidi"])
      await amaka.ask("POST", `/api/v1/savings/groups/${group}/approvers`, { memberId: who(honest).id });
  });

  it("settles who leaves", async () => {
    await product.moveTo(clock(2, 10));
    for (const name of NAMES) await pay(name, 5000);
    const halima = who("halima");
    const leaving = () => halima.do("GET", `/api/v1/savings/groups/${group}/leaving`);
    expect(await leaving()).toMatchObject({ mayLeave: false, owed: 0, saved: 15_000 });
    const early = await halima.ask("POST", `/api/v1/savings/groups/${group}/leave`, { forfeit: false });
    expect(early.status).toBe(409);
    const own = await asksFor("halima", 15_000, "MEMBER_WITHDRAWAL", "I am moving to Kano");
    for (const name of ["dayo", "amaka", "bisi"]) {
      await who(name).stepUp();
      await decides(name, own, "approve");
    }
    await until(
      "her savings are paid",
      () => liquidation("halima", own),
      ({ status }) => status === "PAID",
    );
    await until("she may leave", leaving, ({ mayLeave, saved, held }) => mayLeave && saved === 0 && held === 0);
    const goes = await atScreen("halima", PHONE);
    await leaves(goes, group);
    await goes.context.close();
    const info = `/api/GroupSavings/GetGroupSavingsInfo/${group}`;
    await until(
      "she sees it no more",
      () => halima.ask("GET", info),
      ({ status }) => status === 404,
    );
    await until(
      "they are eleven",
      () => who("amaka").do("GET", info),
      ({ memberCount }) => memberCount === 11,
    );
  });

  it("is audited to the last payment", async () => {
    const dayo = await atScreen("dayo");
    await validatesAll(dayo, group);
    await picture(dayo, "4-desk");
    await dayo.context.close();
    // The validator's own are for the owner to look at.
    const amaka = await atScreen("amaka");
    await validatesAll(amaka, group);
    await coverage(amaka, 100);
    await picture(amaka, "5-all-validated");
    await amaka.context.close();
  });

  it("leaves books that verify", async () => {
    expect(await product.verify()).toMatch(/every|holds|ok/i);
  });

  it("nobody's browser complained", () => {
    expect(screens.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
