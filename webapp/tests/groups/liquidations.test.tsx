import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Group, Liquidation, LiquidationQuote, SubAccount } from "@/api/schema.gen";
import { LiquidationRequests } from "@/features/groups/requests/screens/LiquidationRequests";
import { StepUp } from "@/features/people/security/StepUp";
import { useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const group: Group = {
  id: "g1",
  name: "Balogun Traders",
  description: "",
  amount: 5000,
  memberCapacity: 50,
  memberCount: 3,
  startMonth: "January",
  startMonthId: 1,
  status: "ACTIVE",
  missing: [],
  ownerId: ada.id,
  role: "APPROVER",
  memberStatus: "ACTIVE",
  totalHidden: false,
  userTotalSavings: 5000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 1,
  dueThisMonth: 3,
  dateCreated: "2026-01-05T09:00:00Z",
};
const sub: SubAccount = {
  id: "s1",
  groupSavingsId: "g1",
  name: "Monthly dues",
  description: "",
  paymentType: "FIXED",
  paymentFrequency: "MONTHLY",
  amountPayable: 5000,
  totalHidden: false,
  showTotalToMembers: true,
  memberPayments: [],
  myTotal: 5000,
  mySavings: 4000,
  balance: 250_000,
  dues: [],
};
const quote: LiquidationQuote = {
  amount: 120_000,
  fee: 50,
  vat: 3.75,
  stampDuty: 50,
  charges: 103.75,
  net: 119_896.25,
  bankName: "Guaranty Trust Bank",
  accountNumber: "6789",
  accountName: "BOLA VENTURES",
  feeTable: 1,
};
const one = (status: Liquidation["status"], more: Partial<Liquidation> = {}): Liquidation => ({
  ...quote,
  id: "l1",
  groupId: "g1",
  groupName: group.name,
  subAccountId: "s1",
  subAccountName: sub.name,
  kind: "GROUP_DISBURSEMENT",
  status,
  reason: "Chairs for the hall",
  requestedBy: "u2",
  requestedByName: "Femi T.",
  approvals: 0,
  amountHidden: false,
  objections: 0,
  objectionsNeeded: 2,
  answers: 0,
  ownAccount: false,
  approvalsNeeded: 2,
  dateCreated: "2026-11-20T10:00:00Z",
  expires: "2026-12-04T10:00:00Z",
  story: [{ step: "INITIATED", title: "Asked for", detail: "By Femi T.", at: "2026-11-20T10:00:00Z" }],
  may: [],
  ...more,
});

interface Desk {
  as?: Partial<Group>;
  requests?: () => Liquidation[];
  quote?: () => LiquidationQuote;
  request?: () => Response;
  decide?: (word: string) => Response;
}

type Sent = { path: string; key: string | null; body: unknown };

function desk({ as, requests = () => [], quote: ask = () => quote, request, decide }: Desk = {}) {
  const sent: Sent[] = [];
  const keep = async (made: Request) => {
    const text = await made.text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    sent.push({ path: new URL(made.url).pathname, key: made.headers.get("Idempotency-Key"), body });
  };
  const first = () => requests()[0] ?? one("REQUESTED");
  network.use(
    http.get(`${origin}/api/GroupSavings/GetGroupSavingsInfo/g1`, () => yes({ ...group, ...as })),
    http.get(`${origin}/api/GroupSavings/GetGroupSubAccounts/g1`, () =>
      yes({ groupSavingsId: "g1", groupName: group.name, SubAccounts: [sub] }),
    ),
    http.get(`${origin}/api/Payment/getbanks`, () => yes([{ code: "058", name: "Guaranty Trust Bank" }])),
    http.get(`${origin}/api/GroupSavings/get-savings-liquidation-request-list/g1`, () =>
      yes({ requests: requests(), held: 120_000 }),
    ),
    http.get(`${origin}/api/v1/savings/liquidations/l1`, () => yes(first())),
    http.post(`${origin}/api/v1/savings/liquidations/quote`, async ({ request: made }) => {
      await keep(made);
      return yes(ask());
    }),
    http.post(`${origin}/api/GroupSavings/group-savings-liquidation-vfd`, async ({ request: made }) => {
      await keep(made);
      return request ? request() : yes(one("REQUESTED"), "Requested.");
    }),
    http.post(
      `${origin}/api/GroupSavings/validate-liquidation-request/g1/l1/:word`,
      async ({ request: made, params }) => {
        await keep(made);
        return decide ? decide(String(params.word)) : yes(first(), "Recorded.");
      },
    ),
    http.post(`${origin}/api/v1/savings/liquidations/l1/:deed`, async ({ request: made }) => {
      await keep(made);
      return yes(first(), "Recorded.");
    }),
  );
  return sent;
}

const app = (
  <>
    <Routes>
      <Route path="/savings/:id/liquidation-requests" element={<LiquidationRequests />} />
    </Routes>
    <StepUp />
  </>
);
const page = "/savings/g1/liquidation-requests";
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

beforeEach(signIn);

async function fill(dialog: HTMLElement) {
  await userEvent.click(within(dialog).getByRole("radio", { name: /A payment of the group/ }));
  await userEvent.type(within(dialog).getByLabelText("How much?"), "120,000");
  await userEvent.click(within(dialog).getByRole("combobox", { name: "The payee's bank" }));
  await userEvent.click(await within(dialog).findByRole("option", { name: "Guaranty Trust Bank" }));
  await userEvent.type(within(dialog).getByLabelText("The payee's account number"), "0123 456 789");
  await userEvent.type(within(dialog).getByLabelText("What is it for?"), "Chairs for the hall");
  await userEvent.click(within(dialog).getByRole("button", { name: "See the charges" }));
}

async function opened() {
  show(app, page);
  await click("Request fund");
  const dialog = await screen.findByRole("dialog", { name: "Request fund" });
  await within(dialog).findByLabelText("How much?");
  return dialog;
}

describe("asking the group for money", () => {
  it("shows whose account it is and every charge before anything is asked for, then its story", async () => {
    const sent = desk();
    const dialog = await opened();
    expect(within(dialog).getByText("You have ₦4,000.00 in it.")).toBeTruthy();
    await fill(dialog);
    await within(dialog).findByText("BOLA VENTURES");
    expect(dialog.querySelector("[data-arrives] [data-naira]")?.getAttribute("data-naira")).toBe("₦119,896.25");
    const payee = { bankCode: "058", accountNumber: "0123456789" };
    const asked = { subAccountId: "s1", kind: "GROUP_DISBURSEMENT", amount: 120_000, ...payee };
    expect(sent.map(({ body }) => body)).toEqual([asked]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Request ₦119,896.25" }));
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe(`${page}?request=l1`));
    expect(sent[1]?.body).toEqual({
      ...asked,
      groupId: "g1",
      reason: "Chairs for the hall",
      net: 119_896.25,
      userId: ada.id,
    });
    expect(await screen.findByText("It waits to be validated. Then the approvers decide.")).toBeTruthy();
  });

  it("refuses a wrong account number and a missing reason before anybody is asked", async () => {
    const sent = desk();
    const dialog = await opened();
    await userEvent.click(within(dialog).getByRole("radio", { name: /A payment of the group/ }));
    await userEvent.type(within(dialog).getByLabelText("The payee's account number"), "12345");
    await userEvent.click(within(dialog).getByRole("button", { name: "See the charges" }));
    await within(dialog).findByText("An account number has 10 digits.");
    expect(within(dialog).getByText("Choose the bank.")).toBeTruthy();
    expect(within(dialog).getByText("Say what it is for in 3 to 300 characters.")).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it("takes back what the server said of an account number as soon as it is another", async () => {
    const none = "GTBank has no account with this number.";
    desk({ quote: () => none as never });
    network.use(
      http.post(`${origin}/api/v1/savings/liquidations/quote`, () => no(400, none, "INVALID", "accountNumber")),
    );
    const dialog = await opened();
    await userEvent.click(within(dialog).getByRole("radio", { name: /A payment of the group/ }));
    await fill(dialog);
    const number = within(dialog).getByLabelText("The payee's account number");
    await within(dialog).findByText(none);
    await userEvent.type(number, "{Backspace}8");
    expect(within(dialog).queryByText(none)).toBeNull();
  });

  it("offers a member who does not see the total their own savings alone", async () => {
    desk({ as: { role: "MEMBER", totalHidden: true } });
    const dialog = await opened();
    expect(within(dialog).queryByRole("radio")).toBeNull();
    expect(within(dialog).queryByText(/It holds/)).toBeNull();
  });

  it("asks anew where the charges changed meanwhile", async () => {
    let net = quote.net;
    const sent = desk({
      quote: () => ({ ...quote, net }),
      request: () => no(409, "₦119,800.00 would arrive now.", "CONFLICT"),
    });
    const dialog = await opened();
    await fill(dialog);
    const send = await within(dialog).findByRole("button", { name: "Request ₦119,896.25" });
    net = 119_800;
    await userEvent.click(send);
    await within(dialog).findByText(/now it is ₦119,800.00. Nothing was set aside./);
    await userEvent.click(within(dialog).getByRole("button", { name: "Request ₦119,800.00" }));
    const asked = () => sent.filter(({ path }) => path.endsWith("liquidation-vfd"));
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(asked()[1]?.body).toMatchObject({ net: 119_800 });
    expect(asked()[1]?.key).not.toBe(asked()[0]?.key);
  });

  it("without an answer asks again with the same key, and claims nothing", async () => {
    let lost = true;
    const sent = desk({ request: () => (lost ? HttpResponse.error() : yes(one("REQUESTED"))) });
    const dialog = await opened();
    await fill(dialog);
    await userEvent.click(await within(dialog).findByRole("button", { name: "Request ₦119,896.25" }));
    await within(dialog).findByText("We don't know yet whether this went through");
    expect(within(dialog).queryByText("Nothing was set aside.")).toBeNull();
    lost = false;
    await userEvent.click(within(dialog).getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(screen.getByTestId("place").textContent).toContain("request=l1"));
    expect(new Set(sent.slice(1).map(({ key }) => key)).size).toBe(1);
  });
});

describe("a request", () => {
  it("offers just what its caller may do, and approves after the step-up once one means it", async () => {
    let stands = one("VALIDATED", { may: ["APPROVE", "REJECT"], approvals: 1 });
    let shown = false;
    const sent = desk({
      requests: () => [stands],
      decide: () => {
        if (!shown) return no(403, "Please confirm that it is you.", "STEP_UP");
        stands = one("PAYOUT_PENDING", { approvals: 2 });
        return yes(stands, "Approved.");
      },
    });
    network.use(
      http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: false, recoveryCodesLeft: 0 })),
      http.post(`${origin}/api/v1/account/step-up`, () => {
        shown = true;
        return yes();
      }),
    );
    show(app, `${page}?request=l1`);
    await click("Approve");
    await screen.findByText(/₦119,896.25 goes to BOLA VENTURES, .*(Bank|0\d+)/);
    expect(sent).toEqual([]);
    await click("Approve ₦119,896.25");
    await userEvent.type(await screen.findByLabelText("Your password"), "good-enough{Enter}");
    await screen.findByText("The bank has it. Mostly it arrives within a minute.");
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    stands = one("PAID", { approvals: 2, datePaid: "2026-11-21T10:00:00Z" });
    act(() => useStore.getState().refreshTopics(["group:g1"]));
    await screen.findByText("It arrived at the payee's bank.");
  });

  it("shows the amount, the payee, the reason and who has decided before an approval, and nothing is sent yet", async () => {
    const at = "2026-11-20T11:00:00Z";
    const story: Liquidation["story"] = [
      { step: "INITIATED", title: "Asked for", detail: "By Femi T.", at },
      { step: "VALIDATED", title: "Validated", detail: "Ife O. validated it.", at },
      { step: "APPROVED", title: "Approved", detail: "Dayo B. approved it.", at },
    ];
    const sent = desk({ requests: () => [one("VALIDATED", { may: ["APPROVE"], approvals: 1, story })] });
    show(app, `${page}?request=l1`);
    await click("Approve");
    const look = await waitFor(() => document.querySelector("[data-second-look]") ?? expect.fail("no second look"));
    for (const words of [
      "₦119,896.25",
      "BOLA VENTURES",
      "Guaranty Trust Bank, account ending in 6789",
      "Chairs for the hall",
      "1 of 2 approvals",
      "Ife O. validated it. Dayo B. approved it.",
    ])
      expect(look.textContent).toContain(words);
    expect(look.textContent).not.toContain("By Femi T.");
    expect(sent).toEqual([]);
  });

  it("says what is in dispute, and leads to a dispute of one's own", async () => {
    const disputed = { disputed: 1500, disputedUntil: "2026-11-27T10:00:00Z" };
    desk({ requests: () => [one("VALIDATED", { may: ["OBJECT", "DISPUTE"], ...disputed })] });
    show(app, `${page}?request=l1`);
    await screen.findByText(/^₦1,500.00 of this sub-account is in dispute\. It is paid only where enough stays/);
    expect((await screen.findByRole("link", { name: "Something wrong?" })).getAttribute("href")).toBe(
      "/disputes/new?request=l1",
    );
    expect(screen.queryByRole("button", { name: "DISPUTE" })).toBeNull();
  });

  it("is declined with a reason and not without", async () => {
    const sent = desk({ requests: () => [one("REQUESTED", { may: ["VALIDATE", "REJECT"] })] });
    show(app, `${page}?request=l1`);
    await click("Decline");
    await click("Decline");
    await screen.findByText("Say why in 3 to 300 characters.");
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByLabelText("Why?"), "No receipt");
    await click("Decline");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ body: { reason: "No receipt" } });
    expect(sent[0]?.path.endsWith("/l1/reject")).toBe(true);
  });

  it("leaves who types the reason alone while others decide", async () => {
    let approvals = 0;
    desk({ requests: () => [one("VALIDATED", { may: ["APPROVE", "REJECT"], approvals, approvalsNeeded: 3 })] });
    show(app, `${page}?request=l1`);
    await click("Decline");
    await userEvent.type(screen.getByLabelText("Why?"), "No rec");
    approvals = 1;
    act(() => useStore.getState().refreshTopics(["group:g1"]));
    await screen.findByText("1 of 3 approvals", { selector: "dd *, dd" });
    await userEvent.keyboard("eipt");
    expect(screen.getByLabelText<HTMLTextAreaElement>("Why?").value).toBe("No receipt");
  });

  it.each([
    ["Call it off", "CANCEL", "/cancel"],
    ["Send again", "RETRY", "/retry"],
  ] as const)("%s asks first, then does it", async (label, deed, path) => {
    const sent = desk({ requests: () => [one(deed === "RETRY" ? "PAYOUT_FAILED" : "REQUESTED", { may: [deed] })] });
    show(app, `${page}?request=l1`);
    await click(label);
    expect(sent).toEqual([]);
    await click(deed === "RETRY" ? "Send again ₦119,896.25" : label);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.path.endsWith(path)).toBe(true);
  });

  it("that is not there says so", async () => {
    desk();
    network.use(http.get(`${origin}/api/v1/savings/liquidations/l1`, () => no(404, "Not found.", "NOT_FOUND")));
    show(app, `${page}?request=l1`);
    await screen.findByText("There is no such request, or it is not yours to see.");
  });

  it("tells its story, declined steps apart from done ones", async () => {
    const story: Liquidation["story"] = [
      { step: "INITIATED", title: "Asked for", detail: "By Femi T.", at: "2026-11-20T10:00:00Z" },
      { step: "REJECTED", title: "Declined", detail: "By Bola A.", at: "2026-11-20T11:00:00Z" },
    ];
    desk({ requests: () => [one("VALIDATION_REJECTED", { story, endReason: "No receipt" })] });
    show(app, `${page}?request=l1`);
    await screen.findByText("Why: No receipt");
    expect([...document.querySelectorAll("[data-step]")].map((step) => step.getAttribute("data-step"))).toEqual([
      "INITIATED",
      "REJECTED",
    ]);
  });
});
