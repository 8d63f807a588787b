import { mkdirSync } from "node:fs";
import { DESKTOP, openBrowser, PHONE, startProduct } from "./product.mjs";
const out = "/tmp/web2-shots/"; mkdirSync(out, { recursive: true });
const product = await startProduct({ demo: true });
const browser = await openBrowser();
const t0 = Date.now();
try {
  const password = product.login.password;
  const shot = async (page, name) => {
    for (const [w, size] of [["390", PHONE], ["1440", DESKTOP]]) {
      await page.setViewportSize(size);
      await page.waitForTimeout(350);
      await page.screenshot({ path: `${out}${name}-${w}.png` });
    }
    await page.setViewportSize(PHONE);
  };
  const arrive = async () => (await browser.newContext({ viewport: PHONE, baseURL: product.url })).newPage();
  // A new person
  const page = await arrive();
  let taps = 0;
  const tap = async (l) => { taps++; await l.click(); };
  const email = "ada.new@example.com";
  const t1 = Date.now();
  await page.goto("/signup");
  for (const [l, v] of [["First name", "Ada"], ["Last name", "Obi"], ["Email", email], ["Phone number", "08031234567"], ["Date of birth", "1990-05-17"]]) { taps++; await page.getByLabel(l).fill(v); }
  taps++; await page.getByLabel("Password", { exact: true }).fill("good-enough-pass");
  await tap(page.getByRole("button", { name: "Create account" }));
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await shot(page, "1-sent");
  // login refused
  const other = await arrive();
  await other.goto("/login");
  await other.getByLabel("Email").fill(email);
  await other.getByLabel("Password", { exact: true }).fill("good-enough-pass");
  await other.getByRole("button", { name: "Log in" }).click();
  await other.getByRole("button", { name: "Send it again" }).click();
  await other.getByText(/a new mail is on its way/).waitFor();
  await shot(other, "2-unverified");
  const inbox = await page.context().newPage();
  await inbox.goto(`/dev/inbox?to=${encodeURIComponent(email)}`);
  const href = await inbox.locator('a[href*="/verifyMail?token="]').first().getAttribute("href");
  await inbox.close();
  taps++; await page.goto(href);
  await shot(page, "3-verify");
  taps++; await page.getByLabel("Password you chose at sign-up").fill("good-enough-pass");
  await tap(page.getByRole("button", { name: "Verify my email" }));
  await page.waitForURL(/dashboard/);
  await page.locator("[data-toast]").waitFor();
  await page.waitForTimeout(400);
  await shot(page, "4-toast-dashboard");
  const signedUp = taps;
  await tap(page.getByRole("link", { name: /Start a group|Create a group/ }).first()).catch(() => page.goto("/savings/create"));
  taps++; await page.getByLabel("Name of the group").fill("Balogun Traders");
  await tap(page.getByRole("button", { name: "Continue" }));
  taps++; await page.getByLabel("Contribution a month").fill("5000");
  await tap(page.getByRole("button", { name: "Continue" }));
  await tap(page.getByRole("button", { name: "Review" }));
  await page.locator("[data-opens]").waitFor();
  await shot(page, "5-summary");
  await tap(page.getByRole("button", { name: "Create group" }));
  await page.locator("[data-checklist]").waitFor();
  await page.waitForTimeout(500);
  await shot(page, "6-group-toast");
  await page.locator("[data-paying-out]").scrollIntoViewIfNeeded();
  await shot(page, "7-checklist");
  console.log("taps to verified", signedUp, "to group", taps, "seconds", (Date.now() - t1) / 1000);
  const group = new URL(page.url()).pathname.split("/").at(-1);
  await page.goto(`/savings/${group}`);
  await page.getByRole("link", { name: "Invite people" }).first().click();
  const link = ((await page.locator("[data-invitation]").textContent()) ?? "").trim();
  // dayo joins by link
  const enter = async (who) => {
    const p = await arrive();
    await p.goto("/login");
    await p.getByLabel("Email").fill(`${who}@demo.adashi.example`);
    await p.getByLabel("Password", { exact: true }).fill(password);
    await p.getByRole("button", { name: "Log in" }).click();
    await p.waitForURL(/dashboard/);
    return p;
  };
  const dayo = await enter("dayo");
  await dayo.goto(link);
  await dayo.getByRole("button", { name: "Join the group" }).click();
  await dayo.locator("[data-toast]", { hasText: "asked to join" }).waitFor();
  await dayo.waitForTimeout(400);
  await shot(dayo, "8-join");
  await page.goto("/dashboard/notifications");
  await page.getByText("Waits for you: someone wants to join").waitFor();
  await shot(page, "9-notices");
  await page.getByText("Waits for you: someone wants to join").click();
  await page.getByRole("dialog", { name: "Dayo Balogun" }).waitFor();
  await shot(page, "10-member");
  const bisi = await enter("bisi");
  await bisi.goto("/dashboard/notifications");
  await bisi.getByText("Waits for you: money is asked for").first().waitFor();
  await shot(bisi, "11-validator-notices");
  await bisi.getByText("Payment received").first().click();
  await bisi.waitForURL(/audit\?payment/);
  await bisi.getByRole("list", { name: /Payments to look at/ }).waitFor();
  await shot(bisi, "12-desk");
  await bisi.goto("/savings");
  await bisi.goto(`/savings/group/invite`);
  await bisi.locator("[data-invitation]").waitFor();
  await shot(bisi, "13-invite-validator");
  await dayo.goto("/savings/documents");
  await dayo.getByRole("heading", { name: "Documents", level: 1 }).waitFor();
  await shot(dayo, "14-documents");
  const tunde = await enter("tunde");
  await tunde.goto("/finance");
  await tunde.locator("[data-unmatched]").first().waitFor();
  await shot(tunde, "15-finance");
  await tunde.goto("/dashboard/reserves");
  await tunde.waitForTimeout(1500);
  await shot(tunde, "16-reserves");
} finally {
  await browser.close();
  console.log((await product.verify().catch((e) => String(e))).split("\n").slice(-4).join("\n"));
  await product.stop();
}
