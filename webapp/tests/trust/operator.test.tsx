import { act, fireEvent, screen, within } from "@testing-library/react";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LoginRequired, StaffOnly } from "@/app/guards";
import { Sidebar } from "@/app/shell/Sidebar";
import { Operator } from "@/features/trust/operator/screens/Operator";
import { useStore } from "@/store/store";
import { ada, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const model = { version: 1, lagEvents: 0, lagSeconds: 0, deadLetters: 0, parts: [{ part: 0, position: 1200 }] };
const stands = {
  epoch: 1,
  head: 1200,
  models: [
    { ...model, name: "balances", state: "following", position: 1200 },
    {
      ...model,
      name: "groups",
      state: "paused",
      position: 1100,
      lagEvents: 100,
      lagSeconds: 42,
      deadLetters: 1,
      parts: [{ part: 0, position: 1100, paused: "fold 1101 to 1101: a bug" }],
    },
    {
      ...model,
      name: "statements",
      state: "rebuilding",
      position: 1200,
      rebuild: { state: "running", position: 300, head: 1200, askedAt: "2026-11-20T10:00:00Z" },
    },
  ],
};
const letter = {
  model: "groups",
  position: 1101,
  type: "naira.v1.GroupCreated",
  error: "a bug",
  at: "2026-11-20T10:00:00Z",
  event: '{"position":1101,"lines":[{"account":"wallet:1","amountKobo":5}]}',
};

const at = "2026-11-20T10:00:00Z";
const checks = {
  ready: true,
  checks: [
    { name: "payments", ok: true, needed: true, since: at, says: "Payments are taken." },
    { name: "messageBus", ok: false, needed: false, since: at, says: "NATS is not connected." },
    { name: "readModel.groups", ok: false, needed: false, since: at, says: "It is paused." },
  ],
};
const noMail = { waiting: 3, failed: 0, givenUp: 0, last: [] };
const mail = {
  waiting: 4,
  failed: 1,
  givenUp: 1,
  last: [
    { about: "notice", reason: "no such mailbox", attempts: 25, createdAt: at },
    { about: "not written yet", reason: "nobody is here", attempts: 1, createdAt: at, nextTry: at },
  ],
};

const as = (...roles: string[]) =>
  useStore.setState({ session: { ...ada, roles: ["User", ...roles] }, authenticated: true });

const app = (
  <Routes>
    <Route element={<LoginRequired />}>
      <Route element={<StaffOnly />}>
        <Route path="/operator" element={<Operator />} />
      </Route>
    </Route>
  </Routes>
);

const answers = (letters: unknown[] = [letter]) =>
  network.use(
    http.get(`${origin}/api/Operator/projections`, () => yes(stands)),
    http.get(`${origin}/api/Operator/dead-letters`, () => yes(letters)),
    http.get(`${origin}/api/Operator/checks`, () => yes(checks)),
    http.get(`${origin}/api/Operator/letters`, () => yes(noMail)),
  );

describe("the operator's screen", () => {
  beforeEach(() => answers());

  it("is not there for members, in the menu neither", () => {
    as();
    show(app, "/operator");
    expect(screen.getByRole("heading", { name: "There is no page here" })).toBeTruthy();
    show(<Sidebar />, "/dashboard");
    expect(screen.queryByRole("link", { name: /Operator/ })).toBeNull();
  });

  it.each(["Support", "FinanceOps", "Admin"])("is in the menu of %s", (role) => {
    as(role);
    show(<Sidebar />, "/dashboard");
    expect(screen.getByRole("link", { name: /Operator/ }).getAttribute("href")).toBe("/operator");
  });

  it("shows where each model stands, what stopped it, and the event as JSON", async () => {
    as("Support");
    show(app, "/operator");
    await screen.findByText("Following");
    expect(screen.getByText("At 1,100 · 100 events behind, 42 s")).toBeTruthy();
    expect(screen.getByText("Paused: fold 1101 to 1101: a bug")).toBeTruthy();
    expect(screen.getByRole("progressbar").getAttribute("value")).toBe("300");
    fireEvent.click(screen.getByText("Open the event"));
    const event = screen.getByRole("region", { name: "groups: The event at 1,101" });
    expect(event.textContent).toContain('"amountKobo": 5');
    expect(screen.queryByRole("button", { name: /again|Rebuild/ })).toBeNull();
  });

  it("lets an Admin try again, once they say that they mean it", async () => {
    const retried = vi.fn();
    network.use(
      http.post(`${origin}/api/Operator/projections/groups/retry`, () => {
        retried();
        return yes(null, "It tries again.");
      }),
    );
    as("Admin");
    show(app, "/operator");
    expect(screen.queryByRole("button", { name: "Try again: balances" })).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: "Try again: groups" }));
    const dialog = await screen.findByRole("dialog", { name: "Try groups again?" });
    expect(retried).not.toHaveBeenCalled();
    await act(async () => void fireEvent.click(within(dialog).getByRole("button", { name: "Try again" })));
    await screen.findByText("It tries again.");
    expect(retried).toHaveBeenCalledOnce();
  });

  it("says whether payments can be taken, and what needs a look", async () => {
    as("Support");
    show(app, "/operator");
    await screen.findByText("Payments can be taken.");
    expect(screen.getByRole("heading", { name: "Message bus" })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Read model groups" })).toBeTruthy();
    expect(screen.getAllByText("Needs a look")).toHaveLength(2);
    expect(screen.getByText("1 more check is well")).toBeTruthy();
  });

  it("shows the letters that fail, which an Admin has tried again", async () => {
    const retried = vi.fn();
    network.use(
      http.get(`${origin}/api/Operator/letters`, () => yes(mail)),
      http.post(`${origin}/api/Operator/letters/retry`, () => {
        retried();
        return yes(null, "They are tried again.");
      }),
    );
    as("Admin");
    show(app, "/operator");
    await screen.findByText("no such mailbox");
    expect(screen.getByText(/25 tries · given up/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Try them again" }));
    const dialog = await screen.findByRole("dialog", { name: "Try the letters again?" });
    expect(retried).not.toHaveBeenCalled();
    await act(async () => void fireEvent.click(within(dialog).getByRole("button", { name: "Try them again" })));
    await screen.findByText("They are tried again.");
    expect(retried).toHaveBeenCalledOnce();
  });

  it("says why a rebuild was refused, and leaves the question open", async () => {
    network.use(
      http.post(`${origin}/api/Operator/projections/balances/rebuild`, () =>
        no(403, "This is for Adashi's own staff."),
      ),
    );
    as("Admin");
    show(app, "/operator");
    fireEvent.click(await screen.findByRole("button", { name: "Rebuild balances" }));
    const dialog = await screen.findByRole("dialog", { name: "Rebuild balances?" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Rebuild" }));
    await screen.findByText("This is for Adashi's own staff.");
    expect(screen.getByRole("dialog", { name: "Rebuild balances?" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Rebuild statements", hidden: true })).toHaveProperty("disabled", true);
  });

  it("says that all is well when nothing stopped", async () => {
    answers([]);
    as("Support");
    show(app, "/operator");
    await screen.findByText("No dead letters");
  });
});
