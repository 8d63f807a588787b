import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditPayment, AuditDesk as DeskPage } from "@/api/schema.gen";
import { AuditDesk } from "@/features/trust/auditDesk/screens/AuditDesk";
import { useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const group = { kind: "GROUP", id: "g1", name: "Balogun Traders" } as const;
const ajo = { kind: "AJO", id: "a1", name: "Esusu of twelve" } as const;

const payment = (at: number, more: Partial<AuditPayment> = {}): AuditPayment => ({
  id: `e${at}`,
  kind: "CONTRIBUTION",
  userId: `u${at}`,
  name: `Member ${at}`,
  subAccountId: "s1",
  subAccountName: "Monthly dues",
  amount: 5000 + at,
  date: "2026-11-02T10:00:00Z",
  channel: "WALLET",
  mark: "UNREVIEWED",
  answered: false,
  position: at,
  oddities: [],
  evidence: [],
  mayMark: true,
  place: group,
  ...more,
});

const nothing = { total: 0, validated: 0, queried: 0, resolved: 0, unreviewed: 0, percent: 100, months: [] };

/** The desk's back end. What it was asked, and what was marked where. */
function desk(payments: AuditPayment[], places: DeskPage["places"] = [group, ajo]) {
  const asked: string[] = [];
  const marked: [place: string, ids: string[]][] = [];
  const seen: unknown[] = [];
  const refuse = { ajo: "" };
  network.use(
    http.get(`${origin}/api/v1/audit`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      query.delete("limit");
      asked.push(`?${query}`);
      const queues = [
        { queue: "OLDEST", count: payments.length },
        { queue: "ODD", count: 1000 },
      ];
      return yes({ payments, places, queues, position: 77 });
    }),
    http.post(`${origin}/api/v1/savings/groups/g1/audit`, async ({ request }) => {
      const { marks, seenPosition } = (await request.json()) as { marks: { id: string }[]; seenPosition?: number };
      marked.push(["g1", marks.map(({ id }) => id)]);
      seen.push(seenPosition);
      return yes(nothing, "Marked.");
    }),
    http.post(`${origin}/api/v1/ajo/a1/audit`, async ({ request }) => {
      const { marks } = (await request.json()) as { marks: { id: string }[] };
      if (refuse.ajo) return no(409, refuse.ajo, "CONFLICT");
      marked.push(["a1", marks.map(({ id }) => id)]);
      return yes(nothing, "Marked.");
    }),
  );
  return { asked, marked, seen, refuse };
}

const opens = (at = "/audit") =>
  show(
    <Routes>
      <Route path="/audit" element={<AuditDesk />} />
    </Routes>,
    at,
  );
const list = () => screen.findByRole("list", { name: "Payments to look at, the oldest first" });
const place = () => screen.getByTestId("place").textContent;

beforeEach(() => {
  signIn();
  useStore.setState({ savedFilters: {} });
});

describe("the desk across groups and ajo", () => {
  it("shows what waits, of which group, and how much there is in each queue", async () => {
    const { asked } = desk([payment(1), payment(2, { place: ajo })]);
    opens();
    expect(await within(await list()).findByText(/Esusu of twelve/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "To do (2)" }).getAttribute("aria-current")).toBe("page");
    await userEvent.click(screen.getByRole("button", { name: "Unusual (999+)" }));
    await waitFor(() => expect(asked.at(-1)).toBe("?queue=ODD"));
    expect(place()).toBe("/audit?queue=ODD");
  });

  it("asks for what its address says, and turns nothing upside down", async () => {
    const { asked } = desk([payment(1)]);
    opens("/audit?queue=PAYOUTS&place=g1&min=5%2C000&max=9000&from=2026-11-02&to=2026-11-01");
    await list();
    expect(asked.at(-1)).toBe("?queue=PAYOUTS&place=g1&min=5000&max=9000");
    expect(screen.getByText("The first day lies after the last.")).toBeTruthy();
  });

  it("narrows to one member, and back", async () => {
    const { asked } = desk([payment(1), payment(2)]);
    opens();
    await list();
    const [only] = screen.getAllByRole("button", { name: "Only payments of Member 1" });
    await userEvent.click(only as HTMLElement);
    await waitFor(() => expect(asked.at(-1)).toBe("?queue=OLDEST&member=u1"));
    await userEvent.click(await screen.findByRole("button", { name: "Everybody's payments" }));
    expect(place()).toBe("/audit?queue=OLDEST");
  });

  it("marks each group's and each ajo's payments where they belong", async () => {
    const { marked, seen, refuse } = desk([payment(1), payment(2, { place: ajo }), payment(3)]);
    refuse.ajo = "The ajo's validator audits this payment.";
    opens();
    await list();
    await userEvent.click(screen.getByRole("button", { name: "Choose all shown" }));
    await userEvent.keyboard("v");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Validate" }));
    expect(await screen.findByText("The ajo's validator audits this payment.")).toBeTruthy();
    expect(marked).toEqual([["g1", ["e1", "e3"]]]);
    expect(seen, "up to where its page had read").toEqual([77]);
    await waitFor(() => expect(document.querySelectorAll("[data-audit]")).toHaveLength(1));
    expect(document.querySelector("[data-audit]")?.getAttribute("data-audit")).toBe("e2");
  });

  it("keeps filters under a name, each person's their own", async () => {
    desk([payment(1)]);
    const { unmount } = opens("/audit?queue=ODD&paymentKind=PAYOUT");
    await list();
    await userEvent.click(screen.getByRole("button", { name: "Save these filters" }));
    await userEvent.click(await screen.findByRole("button", { name: "Save" }));
    expect(await screen.findByText("Name them in 1 to 40 characters.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("What are they called?"), "Odd payouts");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    unmount();
    const again = opens();
    await userEvent.click(await screen.findByRole("button", { name: "Odd payouts" }));
    expect(place()).toBe("/audit?queue=ODD&paymentKind=PAYOUT");
    again.unmount();
    useStore.setState({ session: { ...ada, id: "somebody-else" }, authenticated: true });
    const other = opens();
    await list();
    expect(screen.queryByRole("button", { name: "Odd payouts" })).toBeNull();
    other.unmount();
    signIn();
    opens();
    await userEvent.click(await screen.findByRole("button", { name: "Remove Odd payouts" }));
    expect(useStore.getState().savedFilters[ada.id]).toEqual([]);
  });

  it("says what to do to somebody who audits nothing", async () => {
    desk([], []);
    opens();
    expect(await screen.findByText("You audit no group and no ajo")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /CSV/ })).toBeNull();
  });
});
