import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import type { Remedy, RemedyMember } from "@/api/schema.gen";
import { no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";
import { app, as } from "./support";

const member: RemedyMember = {
  userId: "u9",
  name: "Ngozi E.",
  email: "l•••@example.com",
  earlierEmails: [{ email: "n•••@example.com", until: "2026-11-19T10:00:00Z" }],
  isFrozen: true,
  bvnVerified: true,
  bvnKnown: true,
  needsAddress: false,
  waits: false,
};
const waiting: Remedy = {
  remedyId: "r1",
  kind: "GIVE_BACK",
  member: { ...member, waits: true },
  case: "C-17",
  reason: "She showed her passport.",
  newEmail: "ngozi.new@example.com",
  since: "2026-11-18T08:00:00Z",
  proposedBy: "Sade B.",
  proposedAt: "2026-11-20T09:00:00Z",
  endsAt: "2026-12-04T09:00:00Z",
  isMine: false,
  mayAgree: true,
  version: "v1",
};

/** The desk with what waits; calls are those that change something. */
function desk(role: string, remedies: Remedy[], members: RemedyMember[] = [member]) {
  const state = { remedies, calls: [] as [string, unknown][], refusal: "" };
  const on = (path: string) =>
    http.post(`${origin}/api/v1/support/remedies${path}`, async ({ request }) => {
      state.calls.push([path, await request.json().catch(() => undefined)]);
      if (state.refusal) return no(409, state.refusal, "CONFLICT");
      state.remedies = path === "" ? [{ ...waiting, isMine: true, mayAgree: false }] : [];
      return yes(path === "" ? waiting : {}, "Recorded.");
    });
  network.use(
    http.get(`${origin}/api/v1/support/remedies`, () => yes(state.remedies)),
    http.post(`${origin}/api/v1/support/remedies/members`, () => yes(members, "That you looked is recorded.")),
    on(""),
    on("/r1/agree"),
    on("/r1/decline"),
  );
  as(role);
  show(app, "/support?tab=remedies");
  return state;
}

const click = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

async function finds() {
  await userEvent.type(await screen.findByLabelText("Email of the account, now or before"), "ngozi@example.com");
  await userEvent.type(screen.getByLabelText("Case"), "C-17");
  await click("Find");
}

describe("the desk for stolen accounts", () => {
  it("says that nothing waits, and that nobody has an address", async () => {
    desk("Support", [], []);
    await screen.findByText("Nothing waits");
    await finds();
    await screen.findByText("No account has this address, or had it.");
  });

  it("proposes with the address that was proven, since when, and why; after a confirmation", async () => {
    const state = desk("Support", []);
    await finds();
    await screen.findByText("Frozen: it stays frozen");
    await click("Choose this member");
    await click("Propose");
    await screen.findByText("Enter the address that the member proved.");
    screen.getByText("Say it in at least ten letters.");
    await userEvent.type(screen.getByLabelText("Address that the member proved"), "ngozi.new@example.com");
    await userEvent.type(screen.getByLabelText("Since when did somebody else use it?"), "2026-11-18T09:00");
    await userEvent.type(screen.getByLabelText("How did they prove who they are?"), "She showed her passport.");
    await click("Propose");
    const dialog = await screen.findByRole("dialog", { name: "Propose this?" });
    expect(state.calls).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Propose it" }));
    await screen.findByText("You proposed it, so an Admin other than you must agree.");
    expect(state.calls).toEqual([
      [
        "",
        {
          userId: "u9",
          kind: "GIVE_BACK",
          case: "C-17",
          reason: "She showed her passport.",
          newEmail: "ngozi.new@example.com",
          since: "2026-11-18T08:00:00.000Z",
        },
      ],
    ]);
    expect(screen.queryByRole("button", { name: /^Agree/ })).toBeNull();
  });

  it("lets another BVN in only where one was verified", async () => {
    desk("Support", [], [{ ...member, bvnVerified: false, bvnKnown: false }]);
    await finds();
    await click("Choose this member");
    await screen.findByRole("radio", { name: /Give the account back/ });
    expect(screen.queryByRole("radio", { name: /Let another BVN in/ })).toBeNull();
  });

  it("has an Admin agree to what they saw, and shows both where it changed", async () => {
    const state = desk("Admin", [waiting]);
    await screen.findByText("ngozi.new@example.com");
    await click("Agree: Ngozi E.");
    const dialog = await screen.findByRole("dialog", { name: "Give this account back?" });
    expect(dialog.textContent).toContain("The account of Ngozi E. goes to ngozi.new@example.com.");
    state.refusal = "This has changed since you looked. Look at what is there now, and decide again.";
    state.remedies = [{ ...waiting, version: "v2", member: { ...waiting.member, email: "m•••@example.com" } }];
    await userEvent.click(within(dialog).getByRole("button", { name: "Agree" }));
    await within(dialog).findByText("This has changed since you looked");
    expect(dialog.textContent).toContain("There is now: Give the account back · m•••@example.com");
    expect(state.calls).toEqual([["/r1/agree", { seen: "v1" }]]);
    state.refusal = "";
    await userEvent.click(within(dialog).getByRole("button", { name: "Not now" }));
    await click("Agree: Ngozi E.");
    await userEvent.click(
      within(await screen.findByRole("dialog", { name: "Give this account back?" })).getByRole("button", {
        name: "Agree",
      }),
    );
    await waitFor(() => expect(state.calls[1]).toEqual(["/r1/agree", { seen: "v2" }]));
    await screen.findByText("Nothing waits");
  });

  it("is declined, or taken back by who proposed it", async () => {
    const state = desk("Support", [{ ...waiting, isMine: true, mayAgree: false }]);
    await click("Take it back: Ngozi E.");
    const dialog = await screen.findByRole("dialog", { name: "Decline this?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Take it back" }));
    await screen.findByText("Nothing waits");
    expect(state.calls.map(([path]) => path)).toEqual(["/r1/decline"]);
  });
});
