import { OURS } from "./browse.mjs";

// What the desk of Support shows, for the photographer and for axe: nobody of the demo has a case in hand.

/** @typedef {import("playwright-core").Page} Page */

const day = "2026-11-20T05:00:00Z";
const row = {
  id: "case",
  number: "AD-7K2P-9QX3",
  kind: "FINED_IN_TIME",
  status: "OPEN",
  title: "I was fined though I paid in time",
  amount: 5000,
  openedAt: day,
  decideBy: "2099-11-23T05:00:00Z",
  late: false,
  member: "Member 3F9A",
  isMine: false,
};
const inHand = { ...row, status: "INVESTIGATING", isMine: true, staffName: "Sade B.", late: true, decideBy: day };
const found = {
  what: "UNMATCHED",
  arrivalId: "arrival",
  amount: 5000,
  at: day,
  words: "₦5,000.00 of 20 November, 06:00, by bank transfer, waits here and nobody has said whose it is. Is it yours?",
};
const kase = {
  ...inHand,
  userId: "member",
  acknowledgeBy: day,
  isOpen: true,
  groupName: "Onitsha Savers",
  claimed: "arrival",
  paidAt: day,
  found: [found],
  subjects: ["MEMBER", "GROUP"],
  steps: [
    {
      kind: "OPENED",
      position: 900,
      by: "MEMBER",
      at: day,
      words: "I paid on the last day by transfer, and was fined.",
    },
    { kind: "ADDED", position: 901, by: "MEMBER", at: day, file: "slip" },
    { kind: "TAKEN", position: 910, by: "SUPPORT", at: day },
  ],
};
const tomorrow = new Date(Date.now() + 31 * 3_600_000).toISOString();
const card = {
  ...kase,
  id: "card",
  kind: "CARD",
  title: "Your bank disputes a card payment",
  late: false,
  decideBy: tomorrow,
  bankReason: "fraud",
  bankAnswerBy: tomorrow,
  groupName: undefined,
  claimed: undefined,
  found: undefined,
  subjects: ["MEMBER"],
  steps: [
    { kind: "BANK_OPENED", position: 900, by: "BANK", at: day, until: tomorrow },
    { kind: "ADDED", position: 901, by: "MEMBER", at: day, file: "slip" },
    { kind: "ANSWER_DUE", position: 905, by: "CLOCK", at: day, until: tomorrow },
    { kind: "TAKEN", position: 910, by: "SUPPORT", at: day },
  ],
};
const bank = {
  disputed: 12_345_678.9,
  bankReason: "fraud",
  gateway: "Card",
  answerBy: tomorrow,
  soon: true,
  facts: [
    "₦12,345,678.90 was paid by card on 20 November 2026, 06:00 Lagos time, under our reference 1ddf5037-20bc-8ccc-a933-c0fa84e70fb2.",
    "₦12,345,000.00 of it was credited to the payer’s own wallet then. It is entry 900 of our ledger.",
    "The payer has had an account with us since 3 March 2026, and their bank confirmed who they are by their BVN.",
  ],
  draft: "This payment is right. It was made by somebody signed in to our customer's account.",
  files: [{ id: "slip", at: day }],
  mayAnswer: true,
  mayAgree: false,
  mayDrop: false,
  ended: false,
  answerId: "before",
  status: "FAILED",
  accepted: false,
  words: "The payment is right: our customer made it.",
  staffName: "Sade B.",
  givenAt: day,
  reason: "The gateway never received it.",
};
const entry = (/** @type {string} */ account, /** @type {string} */ label, /** @type {number} */ amount) => ({
  account,
  label,
  amount,
  balance: 12_345_678.9,
  own: amount < 0,
});
const steps = Array.from({ length: 40 }, (_, at) => ({
  position: 100 + at * 7,
  eventId: `0198a000-0000-7000-8000-0000000000${String(at).padStart(2, "0")}`,
  type: "naira.v1.ContributionReceived",
  title: "Contribution received",
  stream: "dues:sub:member",
  recordedAt: new Date(Date.parse(day) + at * 3_600_000).toISOString(),
  effectiveAt: new Date(Date.parse(day) + at * 3_600_000 - (at % 6 === 3 ? 7_800_000 : 0)).toISOString(),
  late: at % 6 === 3,
  entries: [
    entry("wallet:member", "Wallet of the member", -12_345_678.9),
    entry("pool:sub", "Sub-account Dues of the old boys of Kings College", 12_345_678.9),
  ],
  body: JSON.stringify({ amountKobo: 500_000, userId: "member", subAccountId: "x".repeat(80) }, null, 2),
}));

/** @param {number} position */
const replay = (position) => ({
  subject: "MEMBER",
  position,
  recordedAt: day,
  head: 400,
  events: 12,
  accounts: [
    { account: "wallet:member", label: "Wallet of the member", balance: 12_345_678.9 - position },
    { account: "pool:sub", label: "Sub-account Dues of the old boys of Kings College", balance: position * 1000 },
    { account: "held:wallet:member", label: "Set aside of wallet of the member", balance: 0 },
  ],
  states: [{ stream: "account:member", label: "Account of the member", version: 12, state: '{\n  "Tier": 1\n}' }],
  more: 3,
});

const lab = {
  events: 1_240,
  decided: 1_100,
  lines: [
    { kind: "EDITED", at: day, was: [], would: [{ title: "Contribution received", amount: 5000, entries: [] }] },
    {
      kind: "REFUSED",
      position: 90,
      at: day,
      why: "Nothing is late here.",
      was: [{ title: "Penalty applied", amount: 250, entries: [] }],
      would: [],
    },
  ],
  accounts: [{ account: "pool:sub", label: "Sub-account Dues of the old boys", was: 0, would: 5000, by: 5000 }],
  states: [],
};
const ofLab = {
  steps: [{ kind: "ASSIGN", arrivalId: "arrival", words: "₦5,000.00 of nobody becomes the member's." }],
  countsFrom: day,
  cannot: ["Withdrawal requested has happened, and would have been refused: ₦12,345,678.90 would be missing for it."],
  putsRight: [{ label: "Penalty of Dues of the old boys of Kings College for November 2026", amount: -12_345_678.9 }],
  differs: [{ label: "Sub-account Dues of the old boys of Kings College", amount: 5000 }],
  events: [
    {
      title: "Unmatched assigned",
      entries: [
        { account: "suspense:unmatched", label: "Money of nobody yet", amount: -5000 },
        { account: "wallet:member", label: "Wallet of the member", amount: 5000 },
      ],
    },
  ],
};
const earlier = [
  {
    id: "earlier",
    status: "STALE",
    proposedAt: day,
    steps: ["₦5,000.00 of nobody becomes the member's."],
    reason: "Something has happened here since. Look again, and propose it anew.",
  },
];

/** @param {URL} address @param {string} method */
function answer({ pathname, searchParams }, method) {
  if (pathname.endsWith("/cases")) {
    const cases = searchParams.get("list") === "OVER" ? [] : [card, { ...inHand, id: "late" }, row];
    return { cases, open: 2, waiting: 1, mine: 1, late: 1, bank: 1 };
  }
  if (pathname.endsWith("/steps")) return { steps: searchParams.get("back") === "true" ? steps : [], head: 400 };
  if (pathname.endsWith("/replay")) return replay(Number(searchParams.get("position") ?? 373));
  if (pathname.endsWith("/bank-answer")) return bank;
  if (pathname.endsWith("/cases/card")) return card;
  if (pathname.endsWith("/plan")) return { earlier, penalties: [] };
  if (pathname.endsWith("/from-lab")) return ofLab;
  if (pathname.endsWith("/labs") && method === "POST") return lab;
  if (pathname.endsWith("/labs")) {
    return [
      { id: "lab", at: day, subject: "GROUP", edits: [{ kind: "PAID", amount: 5000, at: day, subAccountId: "dues" }] },
    ];
  }
  return kase;
}

/**
 * The role, and what the desk would show, are put into the browser's hands.
 * @param {Page} page
 */
export async function atTheSupportDesk(page) {
  await page.route("**/api/v1/support/**", (route) =>
    route.fulfill({
      headers: OURS,
      json: {
        isSuccessful: true,
        message: "",
        returnedCode: "OK",
        returnedObject: answer(new URL(route.request().url()), route.request().method()),
      },
    }),
  );
  await page.addInitScript(() => {
    const kept = JSON.parse(localStorage.getItem("adashi") ?? "{}");
    if (!kept.state?.session) return;
    kept.state.session.roles = ["User", "Support"];
    localStorage.setItem("adashi", JSON.stringify(kept));
  });
}

/** A case in which the bank of a card waits for an answer. */
const cardCase = "/support/card";

/**
 * Answers the bank of a card, up to what is asked before it is sent.
 * @param {Page} page
 */
export async function answerBank(page) {
  await openSupport(page, { path: cardCase, heading: card.title });
  await page.getByRole("radio", { name: /The payer gets money back/ }).check();
  await page.getByLabel("In words, as the bank reads them").fill("Our customer says that it was not them.");
  await page.getByRole("button", { name: "Answer the bank" }).click();
  await page.getByRole("dialog", { name: "Propose that money goes back?" }).waitFor();
}

/** Each with the heading that it is known by. */
export const supportScreens = [
  { name: "support", path: "/support", heading: "Support desk" },
  { name: "support-none", path: "/support?tab=over", heading: "Support desk" },
  { name: "support-case", path: "/support/case", heading: row.title },
  { name: "support-card", path: cardCase, heading: card.title },
  { name: "time-machine", path: "/support/case?subject=MEMBER&at=247", heading: row.title },
  { name: "time-machine-two-moments", path: "/support/case?subject=MEMBER&at=247&than=121", heading: row.title },
];

/**
 * Opens a screen of the desk, and waits until it is that: who may not see it is shown that nothing is there.
 * @param {Page} page
 * @param {{ path: string, heading: string }} screen
 */
export async function openSupport(page, { path, heading }) {
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  if (path === cardCase) await page.locator("[data-bank]").waitFor();
  if (path.includes("subject=")) await page.locator("[data-replay]").waitFor();
}

/**
 * Opens what was tried in the lab, and has it become a correction.
 * @param {Page} page
 */
export async function runLab(page) {
  await page.getByText("Tried before").click();
  await page.getByRole("button", { name: /^Open: / }).click();
  await page.getByRole("button", { name: "Propose this as a correction" }).click();
  await page.locator("[data-of-lab]").waitFor();
  await page.getByText("Earlier corrections of this case").click();
}
