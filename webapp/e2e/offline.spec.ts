import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { goes, logIn } from "./browse.mjs";
import { Caller } from "./pages/caller";
import { openBrowser, PHONE, type Product, startProduct } from "./product.mjs";

/** What only an answer of the API says. */
const CANARY = "Yaba Tech Cooperative";
const STRANGER = "kemi";
const OFFLINE = "You are offline.";

let product: Product;
let browser: Browser;
let front: Server;
let url = "";
/** Added to the version of the service worker, as a newer build would. */
let build = "";
let dues: string;
let amaka: Caller;
/** Somebody who shares no group with Amaka. */
let newcomer: Caller;
let context: BrowserContext;

/** Passes all on to the product, and changes the worker where another build is pretended. */
function standInFront(): Promise<Server> {
  const { hostname, port } = new URL(product.url);
  const server = createServer((asked, reply) => {
    const { method, url: path = "/", headers } = asked;
    const isWorker = path === "/sw.js";
    const sent = isWorker ? { ...headers, "accept-encoding": "identity", "if-none-match": "" } : headers;
    const passed = request({ hostname, port, method, path, headers: sent }, (answer) => {
      if (!isWorker) {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
        return;
      }
      let text = "";
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("end", () => {
        reply.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "no-cache" });
        reply.end(text.replace('"version":"', `"version":"${build}`));
      });
    });
    passed.on("error", () => reply.destroy());
    reply.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const options = () => ({ viewport: PHONE, baseURL: url, timezoneId: "Africa/Lagos", locale: "en-NG" }) as const;

/** A window of a profile of its own. */
async function opens(): Promise<Page> {
  context = await browser.newContext(options());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return page;
}

/** All that scripts can read of what the browser keeps, as text. */
const keptText = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const one of await cache.keys()) found.push(one.url, (await (await cache.match(one))?.text()) ?? "");
    }
    const ends = <T>(of: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        of.onsuccess = () => resolve(of.result);
        of.onerror = () => reject(of.error);
      });
    const latin = new TextDecoder("latin1");
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await ends(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const at = database.transaction(store).objectStore(store);
        found.push(`${name}.${store}:${JSON.stringify(await ends(at.getAllKeys()))}`);
        for (const value of await ends(at.getAll())) {
          found.push(JSON.stringify(value), value?.data ? latin.decode(value.data) : "");
        }
      }
      database.close();
    }
    return found.join("\n");
  });

/** What the app's cache holds: the names in one of its stores. */
const names = async (page: Page, store: "keys" | "entries") =>
  JSON.parse(new RegExp(`^adashi-offline\\.${store}:(.*)$`, "m").exec(await keptText(page))?.[1] ?? "[]") as string[];

/** Waits until the app's files and the figures of the dashboard are on the device. */
async function isKept(page: Page) {
  await page.locator("[data-wallet]").waitFor();
  await page.getByText(CANARY).first().waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect.poll(async () => (await names(page, "entries")).length).toBeGreaterThanOrEqual(5);
  const files = async () =>
    page.evaluate(async () => {
      const [name = ""] = await caches.keys();
      return (await (await caches.open(name)).keys()).length;
    });
  await expect.poll(files).toBeGreaterThan(60);
}

async function arrives(who: Caller): Promise<Page> {
  const page = await opens();
  await logIn(page, who.login);
  return page;
}

/** The form that pays what Amaka owes, with an amount of hers. */
async function fillsPayment(page: Page, amount: string) {
  await page.goto(`/savings/sub-account/${dues}`);
  await page.getByRole("link", { name: /^Pay/ }).first().click();
  const field = page.getByRole("textbox", { name: "Amount" });
  await field.fill(amount);
  return field;
}

const strip = (page: Page) => page.locator("[data-offline]");
const comesForward = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

describe("without a network, or with a bad one", () => {
  beforeAll(async () => {
    product = await startProduct({ demo: true });
    front = await standInFront();
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    browser = await openBrowser();
    const of = (name: string) =>
      Caller.logIn(product.url, { email: `${name}@demo.adashi.example`, password: product.login?.password ?? "" });
    [amaka, newcomer] = [await of("amaka"), await of(STRANGER)];
    const groups = await amaka.do("GET", `/api/GroupSavings/GetUserGroupSavings/${amaka.id}`);
    const { id } = await amaka.do("POST", "/api/GroupSavings/CreateSubAccount", {
      groupSavingsId: groups.find(({ name }: { name: string }) => name === CANARY).id,
      name: "What we cook with",
      paymentType: "FIXED",
      paymentFrequency: "MONTHLY",
      amountPayable: 1000,
      userId: amaka.id,
    });
    dues = id;
  });
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    front?.closeAllConnections();
    front?.close();
    await product?.stop();
  });

  it("opens with the last figures, says of when they are, and pays nothing", async () => {
    const page = await arrives(amaka);
    await isKept(page);
    const total = await page.locator("[data-wallet]").textContent();
    await context.setOffline(true);
    await page.reload();
    await strip(page).getByText(OFFLINE).waitFor();
    await page
      .getByText(/^As of \d\d:\d\d, event [\d,]+$/)
      .first()
      .waitFor();
    expect(await page.locator("[data-wallet]").textContent()).toBe(total);
    await page.getByText(CANARY).first().waitFor();
    await context.setOffline(false);
    await strip(page).waitFor({ state: "detached" });
    await expect.poll(() => page.locator("[data-as-of]").count()).toBe(0);
  });

  it("keeps what was typed, and says why a payment waits", async () => {
    const page = await arrives(amaka);
    const field = await fillsPayment(page, "750");
    await context.setOffline(true);
    const pay = page.getByRole("button", { name: "Pay ₦750.00" });
    await page.getByText("You can pay once you are back").waitFor();
    expect(await pay.isDisabled()).toBe(true);
    await context.setOffline(false);
    await expect.poll(() => pay.isEnabled()).toBe(true);
    expect(await field.inputValue()).toBe("750");
  });

  it("asks by itself what became of a payment that was cut off before its answer", async () => {
    const page = await arrives(amaka);
    await fillsPayment(page, "1000");
    await page.route("**/api/Wallet/make-payment-with-wallet", async (route) => {
      await route.fetch();
      await context.setOffline(true);
      await route.abort();
    });
    await page.getByRole("button", { name: "Pay ₦1,000.00" }).click();
    await page.getByText("We don't know yet whether this went through").first().waitFor();
    await context.setOffline(false);
    await page.getByText("An earlier try of yours went through").first().waitFor();
  });

  it.each([200, 401])(
    "takes a portal that answers %s with HTML for no network, and logs nobody out",
    async (status) => {
      const page = await arrives(amaka);
      await isKept(page);
      await page.route("**/api/**", (route) =>
        route.fulfill({ status, contentType: "text/html", body: "<h1>Pay</h1>" }),
      );
      await page.reload();
      await strip(page).waitFor();
      await page.locator("[data-wallet]").waitFor();
      await page.unroute("**/api/**");
      await strip(page).waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe("/dashboard");
    },
  );

  it("goes by the server's clock where the phone's is two days off, also when it opens offline", async () => {
    const page = await opens();
    await page.clock.install({ time: Date.now() + 2 * 86_400_000 });
    await logIn(page, amaka.login);
    await isKept(page);
    await context.setOffline(true);
    await page.reload();
    const asOf = page.locator("[data-as-of]").filter({ hasText: /^As of \d\d:\d\d, event/ });
    await asOf.first().waitFor();
    expect(await asOf.first().getAttribute("data-as-of")).toBe("");
    await page.clock.fastForward(2 * 86_400_000);
    await page.reload();
    await page.locator("[data-as-of=old]").first().waitFor();
  });

  it("opens a stream again that is silent and was never closed", async () => {
    const page = await opens();
    await page.clock.install();
    let opened = 0;
    await page.exposeFunction("opened", () => {
      opened += 1;
    });
    await page.addInitScript(() => {
      const real = window.fetch;
      window.fetch = async (...call) => {
        if (call[0] !== "/api/live") return real(...call);
        (window as unknown as { opened: () => void }).opened();
        return new Response(new ReadableStream(), { headers: { "X-Adashi": "api" } });
      };
    });
    await logIn(page, amaka.login);
    await expect.poll(() => opened).toBe(1);
    await page.clock.fastForward(29_000);
    expect(opened).toBe(1);
    const again = page.waitForResponse("**/api/Wallet/get-user-balance*");
    await page.clock.fastForward(3_000);
    await page.clock.fastForward(3_000);
    await expect.poll(() => opened).toBe(2);
    await again;
  });

  it("asks before it updates, and not while a payment is being typed", async () => {
    const page = await arrives(amaka);
    await isKept(page);
    const field = await fillsPayment(page, "820.00");
    build = "newer";
    await comesForward(page);
    const reload = page.getByRole("button", { name: "Reload" });
    await reload.click();
    await page.getByText("Finish or leave this form first").waitFor();
    expect(await field.inputValue()).toBe("820.00");
    await goes(page, "/dashboard");
    await page.evaluate(() => Object.assign(window, { before: true }));
    await reload.click();
    await page.waitForFunction(() => !("before" in window));
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([expect.stringContaining("newer")]);
  });

  it("lives with a full device, and with a browser that keeps nothing", async () => {
    const page = await opens();
    const devtools = await context.newCDPSession(page);
    await logIn(page, amaka.login);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: url, quotaSize: 1 });
    await page.reload();
    await page.locator("[data-wallet]").waitFor();
    await context.close();
    const blocked = await opens();
    await blocked.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("Blocked", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
        Object.defineProperty(window, name, { get: refuse });
      }
      Object.defineProperty(navigator, "serviceWorker", { get: refuse });
    });
    await blocked.goto("/login");
    await logsInByHand(blocked, false);
    await blocked.locator("[data-wallet]").waitFor();
    await blocked.reload();
    await blocked.getByRole("button", { name: "Log in" }).waitFor();
  });

  it("keeps nothing on a phone that is shared, and ends with the tab", async () => {
    const page = await opens();
    await page.goto("/login");
    await logsInByHand(page, true);
    await page.getByText(CANARY).first().waitFor();
    await page.reload();
    await page.getByText(CANARY).first().waitFor();
    expect(await names(page, "entries")).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("amaka");
    const other = await context.newPage();
    await page.close();
    await other.goto("/dashboard");
    await other.getByRole("button", { name: "Log in" }).waitFor();
    expect(await keptText(other)).not.toContain("amaka");
  });

  it.each([
    ["logged out", async (page: Page) => void (await page.getByRole("button", { name: "Log in" }).waitFor())],
    ["was stopped while she logged out", async () => {}],
  ])("shows a second person nothing of the first, who %s", (_, leaves) =>
    withProfile(async (start) => {
      let page = await start();
      await logIn(page, amaka.login);
      await isKept(page);
      expect(await names(page, "keys")).toEqual([amaka.id]);
      expect(await keptText(page)).not.toContain(CANARY); // Sealed, while she is there.
      await page.getByRole("button", { name: "Your account" }).click();
      await page.getByRole("menuitem", { name: "Log out" }).click();
      await leaves(page);
      await context.close();
      page = await start();
      await page.goto("/dashboard");
      await page.getByRole("button", { name: "Log in" }).waitFor();
      await expect.poll(() => names(page, "keys")).toEqual([]);
      await expect.poll(() => names(page, "entries")).toEqual([]);
      const kept = await keptText(page);
      for (const canary of [CANARY, amaka.id, amaka.login.email, "Amaka"]) expect(kept).not.toContain(canary);
      await logIn(page, newcomer.login);
      await page.locator("[data-wallet]").waitFor();
      await context.setOffline(true);
      await page.reload();
      await strip(page).waitFor();
      expect(await page.getByText(CANARY).count()).toBe(0);
      await context.setOffline(false);
    }),
  );
});

async function logsInByHand(page: Page, shared: boolean) {
  await page.getByRole("textbox", { name: "Email" }).fill(amaka.login.email);
  await page.locator("input[name=password]").fill(amaka.login.password);
  if (shared) await page.getByRole("checkbox", { name: /This phone is shared/ }).check();
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("#main").waitFor();
}

/** Starts a browser with a profile on the disk, and has it deleted at the end. */
async function withProfile(walk: (start: () => Promise<Page>) => Promise<void>) {
  const profile = mkdtempSync(join(tmpdir(), "adashi-profile-"));
  const start = async () => {
    context = await chromium.launchPersistentContext(profile, {
      ...options(),
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--headless", "--no-sandbox", "--disable-dev-shm-usage"],
    });
    return context.pages()[0] ?? context.newPage();
  };
  try {
    await walk(start);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
