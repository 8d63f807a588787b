// Every screen, how to come to it, and when it is all there: for the photographer and for axe.

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ name: string, path: string }} Screen */

/** The demo's own, who may look at /operator. */
export const SUPPORT = "sade@demo.adashi.example";

/** @type {Screen[]} */
export const publicScreens = [
  { name: "landing", path: "/" },
  { name: "login", path: "/login?demo=1" },
  { name: "signup", path: "/signup" },
  { name: "verify-mail", path: "/verifyMail?token=not-spent-by-looking" },
  { name: "verify-mail-without-token", path: "/verifyMail" },
  { name: "send-reset", path: "/send_forgot_password_mail" },
  { name: "reset-password", path: "/forgot_password?token=not-spent-by-looking" },
  { name: "reset-password-without-token", path: "/forgot_password" },
  { name: "confirm-email", path: "/confirm-email?token=not-spent-by-looking" },
  { name: "guardian-consent", path: "/guardian-consent?token=nobody-was-asked" },
  { name: "terms", path: "/terms" },
  { name: "contact-us", path: "/contact-us" },
  { name: "faqs", path: "/faqs" },
  { name: "not-found", path: "/nowhere" },
];

/** A screen is there when its heading is and no skeleton is left. @param {Page} page */
export async function allThere(page) {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[role="status"][aria-label="Loading"]'));
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
}

/** @param {Page} page @param {{ email: string, password: string }} login */
export async function logIn(page, login) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(login.email);
  await page.getByLabel("Password", { exact: true }).fill(login.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("**/dashboard");
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
  await page.goto("/savings");
  const group = await firstPath(page, 'main a[href^="/savings/"]:not([href="/savings/create"])');
  await page.goto(`${group}/sub-accounts`);
  const subAccount = await firstPath(page, 'a[href^="/savings/sub-account/"]');
  await page.goto("/dashboard/activity");
  const movement = await firstPath(page, 'a[href^="/dashboard/activity/"]');
  const payment = new URLSearchParams({
    groupId: group.split("/").at(-1) ?? "",
    subAccountId: subAccount.split("/").at(-1) ?? "",
  });
  await page.goto(group);
  const invitation = await invitationPath(page);
  return [
    { name: "dashboard", path: "/dashboard" },
    { name: "wallet", path: "/dashboard/wallet/" },
    { name: "activity", path: "/dashboard/activity" },
    { name: "activity-detail", path: movement },
    { name: "profile", path: "/dashboard/profile" },
    { name: "profile-edit", path: "/dashboard/profile/edit" },
    { name: "security", path: "/dashboard/security" },
    { name: "notification-centre", path: "/dashboard/notifications" },
    { name: "change-password", path: "/change_password" },
    { name: "savings", path: "/savings" },
    { name: "savings-create", path: "/savings/create" },
    { name: "group", path: group },
    { name: "group-members", path: `${group}/members` },
    { name: "group-sub-accounts", path: `${group}/sub-accounts` },
    { name: "sub-account", path: subAccount },
    { name: "sub-account-payment", path: `/dashboard/sub-account/payment?${payment}` },
    ...(invitation ? [{ name: "join-group", path: invitation }] : []),
  ];
}

/** @param {Page} page */
async function invitationPath(page) {
  await allThere(page);
  const invite = page.getByRole("button", { name: "Invite people" });
  if (!(await invite.isVisible())) return undefined;
  await invite.click();
  const link = new URL((await page.locator("[data-invitation]").textContent()) ?? "", page.url());
  await page.keyboard.press("Escape");
  return link.pathname + link.search;
}

/**
 * What opens over a screen.
 * @type {{ name: string, on: string, open: (page: Page) => Promise<void> }[]}
 */
export const overlays = [
  {
    name: "fund-wallet",
    on: "/dashboard/wallet/",
    open: async (page) => {
      await page.getByRole("button", { name: "Fund wallet" }).first().click();
      await page.getByRole("dialog", { name: "Fund wallet" }).getByLabel("Amount").waitFor();
    },
  },
  {
    name: "notifications",
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
