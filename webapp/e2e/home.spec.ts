import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begunAjo } from "./pages/ajo";
import { Caller } from "./pages/caller";
import type { Person } from "./pages/person";
import { pictures } from "./pages/picture";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

const picture = pictures("home");
const DAY_MS = 86_400_000;
/** In the first 600 px of a phone a person sees the first thing to do. */
const FOLD = 600;

let product: Product;
let browser: Browser;
let ada: Person;
let ajo: string;

const row = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]`);

/** Founds a group by a call; answers its id. */
async function founds(caller: Caller, name: string): Promise<string> {
  const { id } = await caller.do("POST", "/api/GroupSavings/CreateGroupSavings", {
    name,
    amount: 1000,
    memberCapacity: 9,
    startMonthId: new Date().getUTCMonth() + 1,
    monthlyDues: false,
    userEmail: caller.login.email,
  });
  return id;
}

describe("what waits for a person", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    browser = await openBrowser();
    if (!product.login) throw new Error("The demo has no login.");
    const { password } = product.login;
    const known = (name: string) => Caller.logIn(product.url, { email: `${name}@demo.adashi.example`, password });
    const [bisi, chidi, dayo] = await Promise.all([known("bisi"), known("chidi"), known("dayo")]);
    const caller = await Caller.logIn(product.url, product.login);
    ajo = await begunAjo("Surulere ajo", new Date(Date.now() + 3 * DAY_MS), bisi, [chidi, caller], "JOIN_ORDER");
    const own = await founds(caller, "Surulere Tailors");
    const { invitationLink } = await caller.do("GET", `/api/GroupSavings/GetGroupSavingsInfo/${own}`);
    const code = new URL(invitationLink).searchParams.get("code");
    await dayo.do("POST", "/api/GroupSavings/JoinGroupSavings", { groupId: own, code, email: dayo.login.email });
    const other = await founds(bisi, "Ikeja Drivers");
    await bisi.do("POST", "/api/GroupSavings/AddGroupMember", { groupId: other, email: product.login.email });
    ada = await caller.atScreen(browser, PHONE);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it("is on Home in the order of what it costs to miss it, the first in sight", async () => {
    const { page } = ada;
    await ada.goes("/dashboard");
    const first = await row(page, "GROUP_DUE").first().getByRole("link").boundingBox();
    expect(first && first.y + first.height).toBeLessThan(FOLD);
    await ada.button(/^Show \d+ more$/).click();
    const kinds = await page
      .locator("[data-kind]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-kind")));
    const order = ["GROUP_DUE", "AJO_DUE", "JOIN", "INVITATION", "GROUP_SETUP"];
    expect(kinds.filter((kind, at) => order.includes(kind ?? "") && kinds.indexOf(kind) === at)).toEqual(order);
    await row(page, "GROUP_DUE").first().getByText(/late$/).waitFor();
    await row(page, "AJO_DUE").getByText("in 3 days").waitFor();
    await picture(ada, "1-waits");
  });

  it("is paid in two taps, and leaves by itself", async () => {
    const elsewhere = await ada.context.newPage();
    await elsewhere.goto("/dashboard");
    await row(elsewhere, "AJO_DUE").waitFor();
    const pay = row(ada.page, "AJO_DUE").getByRole("link");
    expect(await pay.getAttribute("href")).toContain(ajo);
    await pay.click();
    await ada.button(/^Pay ₦/).click();
    await ada.link("See the receipt").waitFor();
    await picture(ada, "2-paid");
    await row(elsewhere, "AJO_DUE").waitFor({ state: "detached" });
    await elsewhere.close();
  });

  it("hides every figure behind the eye, also after a reload", async () => {
    const { page } = ada;
    await ada.goes("/dashboard");
    await page.locator("[data-wallet] [data-naira]").waitFor();
    await ada.button("Hide figures").click();
    expect(await page.locator("[data-naira]").count()).toBe(0);
    await page.reload();
    await page.locator("[data-wallet] [data-hidden]").waitFor();
    expect(await page.locator("[data-naira]").count()).toBe(0);
    expect(ada.problems).toEqual([]);
  });
});
