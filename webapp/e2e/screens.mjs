// Every screen, how to come to it, and when it is all there: for the photographer and for axe.
import { routes } from "../src/lib/routes.js";
import { goes, OURS } from "./browse.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ name: string, path: string }} Screen */

/** The demo's own, who may look at /operator. */
export const SUPPORT = "sade@demo.adashi.example";

/** @param {string} name */
const spelled = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * A screen for each address of the table, so that none is forgotten.
 * @param {Record<string, string>} places
 * @param {Record<string, string | undefined>} at Addresses by name; undefined where this person has nothing to show.
 * @param {Record<string, string | undefined>} ids What fills an address that begins so.
 * @returns {Screen[]}
 */
function screensOf(places, at = {}, ids = {}) {
  return Object.entries(places).flatMap(([name, pattern]) => {
    const path = name in at ? at[name] : filled(name, pattern, ids);
    return path ? [{ name: spelled(name), path }] : [];
  });
}

/** @param {string} name @param {string} pattern @param {Record<string, string | undefined>} ids */
function filled(name, pattern, ids) {
  if (!pattern.includes(":")) return pattern;
  const beginning = Object.keys(ids).find((one) => pattern.startsWith(one));
  if (!beginning) throw new Error(`Say in e2e/screens.mjs at which address ${name} (${pattern}) is looked at.`);
  return ids[beginning] && pattern.replace(/:\w+\??/, ids[beginning]);
}

/** @type {Screen[]} */
export const publicScreens = [
  ...screensOf(
    { ...routes.visitors, ...routes.everybody },
    {
      login: "/login?demo=1",
      verifyMail: "/verifyMail?token=not-spent-by-looking",
      resetPassword: "/forgot_password?token=not-spent-by-looking",
      confirmEmail: "/confirm-email?token=not-spent-by-looking",
      undoChange: "/undo?token=not-spent-by-looking",
      guardianConsent: "/guardian-consent?token=nobody-was-asked",
      verifyStatement: "/verify-statement",
      ajoDraw: "/ajo/draw",
    },
  ),
  { name: "verify-mail-without-token", path: "/verifyMail" },
  { name: "reset-password-without-token", path: "/forgot_password" },
  { name: "verify-statement-unknown", path: "/verify-statement/NEVER-ISSUED" },
  { name: "ajo-draw-of-none", path: "/ajo/draw/01900000-0000-7000-8000-000000000001" },
  { name: "not-found", path: "/nowhere" },
];

/**
 * A screen is there when its heading is, its letters are, no skeleton is left and nothing moves. One question, which
 * the page answers at each frame: to ask from here for one after the other takes up to half a second more.
 * @param {Page} page
 */
export async function allThere(page) {
  await page.waitForFunction(
    () =>
      document.querySelector("h1")?.checkVisibility() &&
      !document.querySelector('[role="status"][aria-label="Loading"], section[aria-busy="true"]') &&
      document.fonts.status === "loaded" &&
      document.getAnimations().every((animation) => animation.playState !== "running"),
  );
}

/** @param {Page} page @param {string} selector */
async function firstPath(page, selector) {
  const found = page.locator(selector).first();
  await found.waitFor();
  return (await found.getAttribute("href")) ?? "/";
}

/**
 * The screens of the one signed in, with real ids: those of the first group and the newest payment.
 * @param {Page} page
 * @returns {Promise<Screen[]>}
 */
export async function privateScreens(page) {
  await goes(page, "/savings");
  const group = await firstPath(page, 'main a[href^="/savings/"]:has(h3)');
  await goes(page, `${group}/sub-accounts`);
  const subAccount = await firstPath(page, 'a[href^="/savings/sub-account/"]');
  await goes(page, "/dashboard/activity");
  const movement = await firstPath(page, 'a[href^="/dashboard/activity/"]');
  const groupId = idOf(group);
  const ofGroup = `group=${groupId}`;
  await goes(page, `/savings/group/invite?${ofGroup}`);
  const joinGroup = await invitationPath(page);
  const about = `/disputes/new?movement=${idOf(movement)}`;
  const dispute = await openedDispute(page, about);
  const { open, joinAjo, ajo } = await seenAjo(page);
  return [
    ...screensOf(
      { ...routes.members, ...routes.invited },
      {
        joinGroup,
        joinAjo,
        invite: `/savings/group/invite?${ofGroup}`,
        inviteAjo: open && `/ajo/group/invite?ajoId=${idOf(open)}`,
        auditDesk: "/audit?queue=OLDEST&paymentKind=CONTRIBUTION",
        subAccountPayment: `/dashboard/sub-account/payment?groupId=${groupId}&subAccountId=${idOf(subAccount)}`,
        withdrawal: undefined,
        ajoCards: undefined,
        ajoCard: undefined,
        ajoPayment: undefined,
      },
      {
        "/savings/:id": groupId,
        "/savings/sub-account/": idOf(subAccount),
        "/months/": groupId,
        "/dashboard/activity/": idOf(movement),
        "/disputes/": dispute && idOf(dispute),
        "/ajo/:id": ajo && idOf(ajo),
      },
    ),
    { name: "activity-nothing-fits", path: "/dashboard/activity?search=nothing-is-called-so" },
    { name: "documents-of-group", path: `/savings/documents?${ofGroup}` },
    { name: "members-none", path: `${group}/members?status=INVITED` },
    { name: "new-dispute-of-movement", path: about },
    { name: "dispute-of-others", path: "/disputes/01900000-0000-7000-8000-000000000001" },
    { name: "freeze", path: "/dashboard/security#freeze" },
    { name: "create-ajo-card", path: "/ajo/group?type=individual" },
    { name: "ajo-payment-of-nothing", path: "/dashboard/ajo/payment" },
    { name: "ajo-of-others", path: "/ajo/01900000-0000-7000-8000-000000000001" },
    { name: "join-ajo-none", path: "/ajo/join-group/01900000-0000-7000-8000-000000000001" },
    ...(open ? [{ name: "ajo-open", path: open }] : []),
    ...(ajo
      ? [
          { name: "ajo-months", path: ajo.replace("/ajo/", "/months/") },
          { name: "ajo-draw-of-mine", path: ajo.replace("/ajo/", "/ajo/draw/") },
        ]
      : []),
  ];
}

/** The last part of an address. @param {string} path */
const idOf = (path) => path.split("/").at(-1) ?? "";

/** A dispute: opened where the product is ours, and there is none. @param {Page} page @param {string} about */
async function openedDispute(page, about) {
  await goes(page, "/disputes");
  await allThere(page);
  const dispute = await pathIfThere(page, "main a[data-dispute]");
  if (dispute || process.env.ADASHI_URL) return dispute;
  await goes(page, about);
  await page.getByRole("radio", { name: /It was taken twice/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("What happened?").fill("I paid once, and it was taken from my wallet twice.");
  await page.getByRole("button", { name: "Send" }).click();
  return (await page.getByRole("link", { name: "See your dispute" }).getAttribute("href")) ?? undefined;
}

/** The first of one's ajo that stands so, where there is one. @param {Page} page @param {string} status */
async function ajoThat(page, status) {
  await goes(page, "/ajo/user/groups");
  await allThere(page);
  return pathIfThere(page, `main a[data-ajo]:has-text("${status}")`);
}

/** An ajo that takes members: founded where the product is ours, and there is none. @param {Page} page */
async function openAjo(page) {
  const found = await ajoThat(page, "Taking members");
  if (found || process.env.ADASHI_URL) return found;
  await goes(page, "/ajo/group");
  await toTheRules(page);
  await page.getByRole("button", { name: "Create the ajo" }).click();
  await page.waitForURL(/\/ajo\/group\/invite\?ajoId=/);
  return `/ajo/${new URL(page.url()).searchParams.get("ajoId")}`;
}

/** From the first step of a new ajo to the last. @param {Page} page */
async function toTheRules(page) {
  await page.getByLabel("Name of the ajo").fill("Market women");
  await page.getByLabel("Each hand pays each time").fill("10,000");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "The order" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("[data-preview]").waitFor();
}

/** One's ajo that takes members, its invitation, and the one that runs, where there are such. @param {Page} page */
async function seenAjo(page) {
  const open = await openAjo(page);
  if (open) await goes(page, `/ajo/group/invite?ajoId=${idOf(open)}`);
  const joinAjo = open ? await invitationPath(page) : undefined;
  return { open, joinAjo, ajo: await ajoThat(page, "Running") };
}

/** Those of who has yet to pay. @param {Page} page @returns {Promise<Screen[]>} */
async function payerScreens(page) {
  await goes(page, "/dashboard/ajo");
  return [
    { name: "my-ajo-to-pay", path: "/dashboard/ajo" },
    { name: "ajo-payment", path: await firstPath(page, 'main a[href^="/dashboard/ajo/payment"]') },
  ];
}

/** Those of who has a card. @param {Page} page @returns {Promise<Screen[]>} */
async function cardScreens(page) {
  await goes(page, "/ajo/cards");
  return [
    { name: "ajo-cards", path: "/ajo/cards" },
    { name: "ajo-card", path: await firstPath(page, "main a[data-card]") },
  ];
}

/** What only others of the demo have: one who has not paid an ajo yet, and one who has a card. */
export const ofOthers = [
  { email: "dayo@demo.adashi.example", screensOf: payerScreens },
  { email: "fatima@demo.adashi.example", screensOf: cardScreens },
];

/** @param {Page} page @param {string} selector */
async function pathIfThere(page, selector) {
  const found = page.locator(selector).first();
  return (await found.isVisible()) ? ((await found.getAttribute("href")) ?? undefined) : undefined;
}

/** @param {Page} page */
async function invitationPath(page) {
  await allThere(page);
  const text = page.locator("[data-invitation]");
  if (!(await text.isVisible())) return undefined;
  const link = new URL((await text.textContent()) ?? "", page.url());
  return link.pathname + link.search;
}

/** From the overview on to the first group's page, or one beneath it. @param {Page} page @param {string} [beneath] */
async function toGroup(page, beneath = "") {
  const group = await firstPath(page, 'main a[href^="/savings/"]:has(h3)');
  await goes(page, group + beneath);
  await allThere(page);
}

/** What opens over a page of the group's money. */
const groupMoney = [
  {
    name: "group-book",
    on: "/savings",
    open: async (/** @type {Page} */ page) => {
      await toGroup(page, "/members-payments");
      await page.getByRole("button", { name: "Download the book" }).click();
      await page.getByRole("dialog", { name: "The group's book" }).getByLabel("First day").waitFor();
    },
  },
  {
    name: "group-payments-of-all",
    on: "/savings",
    open: async (/** @type {Page} */ page) => {
      await toGroup(page, "/my-payments");
      await page.getByRole("button", { name: "Everybody's" }).click();
      await page.locator("[data-history-total]").waitFor();
    },
  },
  {
    name: "request-fund",
    on: "/savings",
    open: async (/** @type {Page} */ page) => {
      await toGroup(page, "/liquidation-requests");
      await page.getByRole("button", { name: "Request fund" }).click();
      const modal = page.getByRole("dialog", { name: "Request fund" });
      await modal.getByText("A payment of the group", { exact: true }).click();
      await modal.getByRole("combobox", { name: "The payee's bank" }).waitFor();
    },
  },
  {
    name: "new-sub-account",
    on: "/savings",
    open: async (/** @type {Page} */ page) => {
      await toGroup(page, "/sub-accounts");
      await page.getByRole("button", { name: "New sub-account" }).click();
      const modal = page.getByRole("dialog", { name: "New sub-account" });
      await modal.getByLabel("Amount", { exact: true }).fill("5,000");
      await modal.getByText("A part of the due, up to an amount", { exact: true }).click();
      await modal.getByLabel("Percent of the due").fill("10");
      await modal.getByLabel("Never more than").fill("300");
      await modal.locator("[data-late-example]").waitFor();
    },
  },
  {
    name: "pay-for-a-friend",
    on: "/savings",
    open: async (/** @type {Page} */ page) => {
      await toGroup(page, "/sub-accounts");
      await goes(page, await firstPath(page, 'a[href^="/savings/sub-account/"]'));
      await page.getByRole("button", { name: "Pay for a friend" }).click();
      await page.getByRole("dialog", { name: "Pay for a friend" }).getByRole("listitem").first().waitFor();
    },
  },
];

/** Presses a button of the ajo that runs, or of the one that takes members, and waits for a part of its dialog. */
const overAjo = (
  /** @type {string} */ name,
  /** @type {RegExp} */ button,
  /** @type {(dialog: import("playwright-core").Locator) => import("playwright-core").Locator} */ part,
  tab = "More",
  status = "Running",
) => ({
  name,
  on: "/ajo/user/groups",
  open: async (/** @type {Page} */ page) => {
    await page.locator(`main a[data-ajo]:has-text("${status}")`).first().click();
    await page.locator("[data-ajo-status]").waitFor();
    await page.getByRole("tab", { name: tab }).click();
    await allThere(page);
    await page.getByRole("button", { name: button }).first().click();
    await part(page.getByRole("dialog")).waitFor();
  },
});

/** What opens over a screen of ajo. */
const ajoOverlays = [
  {
    name: "ajo-start",
    on: "/ajo/groups/all",
    open: async (/** @type {Page} */ page) => {
      await page.getByRole("button", { name: "Start an ajo" }).click();
      const drawer = page.getByRole("dialog", { name: "Start an ajo" });
      await drawer.getByRole("link", { name: "View Yaba weekly ajo" }).waitFor();
    },
  },
  {
    name: "ajo-create-order",
    on: "/ajo/group",
    open: async (/** @type {Page} */ page) => {
      await toTheRules(page);
      await page.getByRole("button", { name: "Back" }).click();
      await page.getByRole("heading", { name: "The order" }).waitFor();
    },
  },
  {
    name: "ajo-create-rules",
    on: "/ajo/group",
    open: async (/** @type {Page} */ page) => {
      await toTheRules(page);
      await page.getByRole("button", { name: "Show the calendar and the cost of each turn" }).click();
      await page.getByRole("columnheader", { name: "Collects" }).waitFor();
    },
  },
  {
    // Nobody of the demo is invited and no member yet: that is put into the answer.
    name: "ajo-join",
    on: "/ajo/user/groups",
    open: async (/** @type {Page} */ page) => {
      await page.route("**/api/Ajo/GetAjoDataById/**", async (route) => {
        const reply = await route.fetch();
        const body = await reply.json();
        body.returnedObject.isMember = false;
        await route.fulfill({ response: reply, json: body });
      });
      const ajo = await pathIfThere(page, 'main a[data-ajo]:has-text("Taking members")');
      await goes(page, `/ajo/group/invite?ajoId=${ajo?.split("/").at(-1)}`);
      await goes(page, (await invitationPath(page)) ?? "/");
      await page.getByRole("button", { name: "Join the ajo" }).waitFor();
      await page.unroute("**/api/Ajo/GetAjoDataById/**");
    },
  },
  overAjo("ajo-cover", /^Pay for /, (dialog) => dialog.getByText("They owe it to you then."), "Payments"),
  overAjo("ajo-vote", /^Put something to the vote/, (dialog) => dialog.getByLabel("Why?")),
  overAjo("ajo-cancel", /^Cancel this ajo/, (dialog) => dialog.getByLabel("Why?"), "More", "Taking members"),
  overAjo(
    "ajo-change-terms",
    /^Change the terms/,
    (dialog) => dialog.locator("[data-preview]"),
    "More",
    "Taking members",
  ),
  overAjo(
    "ajo-tell-past",
    /^Cycles before Adashi/,
    (dialog) => dialog.getByLabel("How many cycles are over?"),
    "More",
    "Taking members",
  ),
];

/**
 * What opens over a screen.
 * @type {{ name: string, on: string, open: (page: Page) => Promise<void> }[]}
 */
export const overlays = [
  ...groupMoney,
  ...ajoOverlays,
  {
    name: "savings-create-summary",
    on: "/savings/create",
    open: async (page) => {
      await page.getByLabel("Name of the group").fill("Kings College Old Boys");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Contribution a month").fill("5,000");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("Officials only", { exact: true }).click();
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByRole("heading", { name: "Is this right?" }).waitFor();
    },
  },
  {
    name: "group-seal",
    on: "/savings",
    open: async (page) => {
      await toGroup(page);
      await page.locator("[data-seal]").click();
      await page.getByText("The signature is right").waitFor();
    },
  },
  {
    name: "add-member",
    on: "/savings",
    open: async (page) => {
      await toGroup(page, "/members");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByRole("dialog", { name: "Add a member" }).getByLabel("Their email").waitFor();
    },
  },
  {
    name: "view-member",
    on: "/savings",
    open: async (page) => {
      await toGroup(page, "/members");
      await page.getByRole("button", { name: /^See / }).nth(3).click();
      await page.getByRole("dialog").getByText("Saved here").waitFor();
    },
  },
  {
    name: "members-selected",
    on: "/savings",
    open: async (page) => {
      await toGroup(page, "/members");
      await page.getByLabel("Select all shown").check();
      await page.getByRole("button", { name: /^Deactivate / }).waitFor();
    },
  },
  {
    name: "appoint-approver",
    on: "/savings",
    open: async (page) => {
      await toGroup(page, "/settings");
      await page.getByRole("button", { name: "Appoint an approver" }).click();
      await page.getByRole("dialog", { name: "Appoint an approver" }).getByRole("radio").first().waitFor();
    },
  },
  {
    name: "close-group",
    on: "/savings",
    open: async (page) => {
      await toGroup(page, "/settings");
      await page.getByRole("button", { name: "Start closing" }).click();
      await page.getByRole("dialog", { name: "Close this group?" }).waitFor();
    },
  },
  {
    name: "fund-wallet",
    on: "/dashboard/wallet/",
    open: async (page) => {
      await page.getByRole("button", { name: "Fund wallet" }).first().click();
      await page.getByRole("dialog", { name: "Fund wallet" }).getByLabel("Amount").waitFor();
    },
  },
  {
    name: "fund-by-card",
    on: "/dashboard/wallet/?fund=1",
    open: async (page) => {
      const modal = page.getByRole("dialog", { name: "Fund wallet" });
      await modal.getByLabel("Amount").fill("5,000");
      await modal.getByText("Card", { exact: true }).click();
      await modal.getByLabel("Save this card for next time").check();
    },
  },
  {
    name: "fund-review",
    on: "/dashboard/wallet/?fund=1",
    open: async (page) => {
      const modal = page.getByRole("dialog", { name: "Fund wallet" });
      await modal.getByLabel("Amount").fill("5,000");
      await modal.getByText("Card", { exact: true }).click();
      await modal.getByRole("button", { name: "Continue" }).click();
      await modal.locator("[data-you-pay]").waitFor();
    },
  },
  {
    name: "transfer",
    on: "/dashboard/wallet/?fund=1",
    open: async (page) => {
      const modal = page.getByRole("dialog", { name: "Fund wallet" });
      await modal.getByLabel("Amount").fill("700");
      await modal.getByRole("button", { name: "Continue" }).click();
      await modal.getByRole("button", { name: "Agree and continue" }).click();
      await modal.getByRole("timer").waitFor();
    },
  },
  {
    name: "new-standing-order",
    on: "/dashboard/wallet/",
    open: async (page) => {
      await page.getByRole("button", { name: "New standing order" }).click();
      await page.getByRole("dialog", { name: "New standing order" }).getByLabel("First day", { exact: true }).waitFor();
    },
  },
  {
    name: "withdrawal-refused",
    on: "/dashboard/wallet/withdraw",
    open: async (page) => {
      await page.getByLabel("How much leaves your wallet?").fill("900,000,000");
      await page.getByRole("button", { name: "See the charges" }).click();
      await page.getByText(/Nothing was taken|Nothing has left your wallet/).waitFor();
    },
  },
  {
    name: "activity-filters",
    on: "/dashboard/activity",
    open: async (page) => {
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByLabel("Direction").waitFor();
    },
  },
  {
    name: "statement",
    on: "/dashboard/activity",
    open: async (page) => {
      await page.getByRole("button", { name: "Statement (PDF)" }).click();
      await page.getByRole("dialog", { name: "Statement of your wallet" }).getByLabel("First day").waitFor();
    },
  },
  {
    name: "proof",
    on: "/dashboard/activity",
    open: async (page) => {
      await page.locator('a[href^="/dashboard/activity/"]').last().click();
      await page.getByRole("button", { name: "Check the proof" }).click();
      await page
        .getByText(/^Checked/)
        .first()
        .waitFor();
    },
  },
  {
    name: "dispute-search",
    on: "/disputes/new",
    open: async (page) => {
      await page.getByRole("radio", { name: /I paid and it is not there/ }).check();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("How much was it?").fill("7");
      await page.getByRole("button", { name: "Look for it" }).click();
      await page.locator("[data-finds]").waitFor();
    },
  },
  {
    name: "dispute-not-me",
    on: "/disputes/new",
    open: async (page) => {
      await page.getByRole("radio", { name: /It was not me/ }).check();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Say what happened in at least ten letters.").waitFor();
    },
  },
  {
    name: "freeze-question",
    on: "/dashboard/security",
    open: async (page) => {
      await page.getByRole("button", { name: "Freeze my money now" }).click();
      await page.getByRole("dialog", { name: "Freeze your money?" }).waitFor();
    },
  },
  {
    name: "notifications-drawer",
    on: "/dashboard",
    open: async (page) => {
      await page.getByRole("button", { name: /^Notifications/ }).click();
      await page.getByRole("dialog", { name: "Notifications" }).waitFor();
    },
  },
  {
    name: "search",
    on: "/dashboard",
    open: async (page) => {
      await page.getByRole("button", { name: "Search savings groups" }).click();
      await page.getByPlaceholder("Search for active savings groups").fill("e");
      await page.getByText("Total saved").first().waitFor();
    },
  },
  {
    name: "bank-picker",
    on: "/dashboard/profile/edit",
    open: async (page) => {
      await page.getByRole("combobox", { name: "Bank" }).fill("bank");
      await page.getByRole("listbox").getByRole("option").first().waitFor();
    },
  },
  {
    name: "leave-without-saving",
    on: "/dashboard/profile/edit",
    open: async (page) => {
      await page.getByLabel("Office address").fill("not saved");
      await page.getByRole("link", { name: "Back to profile" }).click();
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    },
  },
  {
    name: "step-up",
    on: "/dashboard/security",
    open: async (page) => {
      await page.getByRole("button", { name: "Download my data" }).click();
      await page.getByRole("dialog", { name: "Please confirm that it is you" }).waitFor();
    },
  },
  {
    name: "close-account",
    on: "/dashboard/security",
    open: async (page) => {
      await page.getByRole("button", { name: "Close my account…" }).click();
      await page.getByRole("dialog", { name: "Close your account for ever?" }).waitFor();
    },
  },
  {
    name: "account-menu",
    on: "/dashboard",
    open: async (page) => {
      await page.getByRole("button", { name: "Your account" }).click();
      await page.getByRole("menuitem", { name: "Log out" }).waitFor();
    },
  },
  {
    name: "help",
    on: "/dashboard",
    open: async (page) => {
      const menu = page.getByRole("button", { name: "Open menu" });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole("button", { name: "Help & Support" }).click();
      await page.getByRole("dialog", { name: "Help & Support" }).waitFor();
    },
  },
];

/** @type {Screen[]} */
export const financeScreens = ["unmatched", "reconciliation", "payouts", "debts", "members", "ajo"].map((tab) => ({
  name: `finance-${tab}`,
  path: `${routes.finance.finance}?tab=${tab}`,
}));

/** @type {Screen[]} */
export const staffScreens = screensOf(routes.staff);

const day = "2026-11-20T05:00:00Z";
const attested = {
  id: "reserves",
  at: day,
  position: 18_204,
  owed: 2_500_000,
  held: 2_505_000,
  inTransit: 500,
  difference: "0.00",
  unmatched: 5000,
  covered: true,
  rails: [{ name: "vfd", bank: 2_505_000, ledger: 2_505_000 }],
};
const reconciled = {
  id: "run",
  startedAt: day,
  finishedAt: day,
  trigger: "DAILY",
  balanced: false,
  problem: "The bank gave no statement for an hour.",
  reserves: attested,
  items: [
    {
      kind: "BANK_ONLY",
      rail: "vfd",
      reference: "a-reference-of-the-bank-that-is-long",
      amount: 500,
      direction: "IN",
      at: day,
      ageHours: 72,
      words: "The bank has it and we were never told.",
    },
  ],
};
const arrival = {
  id: "arrival",
  status: "OPEN",
  channel: "BANK_TRANSFER",
  amount: 5000,
  reference: "9912345678",
  reason: "The account belongs to no open payment.",
  sender: "CHINEDU OKAFOR",
  paidAt: day,
  recordedAt: day,
};
const proposed = {
  ...arrival,
  id: "proposed",
  status: "PROPOSED",
  proposal: {
    userId: "member",
    memberName: "Bola A.",
    proposedBy: "staff",
    proposerName: "Femi T.",
    mine: false,
    reason: "The sender's name and the amount fit.",
    at: day,
  },
};
const held = {
  ...arrival,
  id: "held",
  status: "HELD",
  reference: "",
  providerRef: "TXN 88412",
  reason: "The bank's statement has it under a number of its own, and nothing says whether we have it already.",
  likely: [{ paymentId: "0198a000-0000-7000-8000-000000000002", providerRef: "0901102611231000", paidAt: day }],
};
const payout = {
  id: "0198a000-0000-7000-8000-000000000001",
  status: "SENT",
  amount: 120_000,
  net: 119_896.25,
  rail: "vfd",
  requestedAt: day,
  sentAt: day,
  lastAskedAt: day,
  nextAskAt: day,
  tries: 3,
  answer: "Pending at the bank",
  doubtful: true,
};
const asks = [
  { userId: "bisi", name: "Bisi T.", askedAt: day, hasAccess: false, mine: false },
  { userId: "femi", name: "Femi S.", askedAt: day, hasAccess: true, mine: true },
];
const ask = {
  userId: "bisi",
  askId: "ask",
  name: "Bisi Test",
  askedAt: day,
  salary: 210_000,
  limit: 70_000,
  hasAccess: false,
  bvnVerified: true,
  papers: [
    { paper: "bank-statement", link: "/api/v1/finance/ajo-access/bisi/papers/bank-statement" },
    { paper: "offer-letter", link: "/api/v1/finance/ajo-access/bisi/papers/offer-letter" },
  ],
};
const desk = {
  "/api/v1/finance/ajo-access": { asks, count: 2 },
  "/api/v1/finance/ajo-access/bisi": ask,
  "/api/v1/finance/unmatched": { arrivals: [arrival, proposed, held], openCount: 3, openAmount: 10_000 },
  "/api/v1/finance/reconciliations": { reconciliations: [{ ...reconciled, items: [] }] },
  "/api/v1/finance/reconciliations/run": reconciled,
  "/api/v1/finance/debts": {
    debts: [{ userId: "a-member", amount: 4000, since: day }],
    count: 1,
    amount: 4000,
    locked: [{ userId: "a-member", since: day }],
  },
  "/api/v1/finance/payouts": { payouts: [payout], count: 1, amount: 119_896.25 },
};

/**
 * Nobody of the demo looks after the money and nothing goes wrong there: the role, and what the desk would show, are
 * put into the browser's hands. The role is put there whenever a page begins: the app writes its own state over what it
 * is given meanwhile.
 * @param {Page} page
 */
export async function atTheFinanceDesk(page) {
  await page.route("**/api/v1/finance/**", (route) => {
    const returnedObject = desk[/** @type {keyof typeof desk} */ (new URL(route.request().url()).pathname)];
    return route.fulfill({
      headers: OURS,
      json: { isSuccessful: true, message: "", returnedCode: "OK", returnedObject },
    });
  });
  await page.addInitScript(() => {
    const kept = JSON.parse(localStorage.getItem("adashi") ?? "{}");
    if (!kept.state?.session) return;
    kept.state.session.roles = ["User", "FinanceOps"];
    localStorage.setItem("adashi", JSON.stringify(kept));
  });
}

/**
 * Opens a screen of the desk, and waits until it is that: who may not see it is shown that nothing is there.
 * @param {Page} page
 * @param {string} path
 */
export async function openFinance(page, path) {
  await page.goto(path);
  await page.locator(`a[aria-current="page"][href="${path}"]`).waitFor();
}
