import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import type { Ajo } from "@/api/schema.gen";
import { CreateAjo } from "@/features/ajo/home/screens/CreateAjo";
import { AjoPage } from "@/features/ajo/room/screens/AjoPage";
import { commitmentOf } from "@/lib/draw/hashes";
import { keptSecret } from "@/lib/draw/secrets";
import { useStore } from "@/store/store";
import { ajo, preview } from "../kit/ajo";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

const open = (more: Partial<Ajo> = {}): Ajo => {
  const { me, seats, ...rest } = ajo({ status: "OPEN", cycles: [], currentAjoCyle: undefined, debts: [], ...more });
  return { ...rest, seats, me: { ...me, isOwner: true } };
};

function room(first: Ajo, tab = "more") {
  const calls: [string, unknown][] = [];
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(first)),
    http.get(`${origin}/api/Ajo/member-contribution/a1`, () => yes([])),
    http.post(`${origin}/api/v1/ajo/preview`, () => yes(preview)),
    http.post(`${origin}/api/v1/ajo/a1/*`, async ({ request }) => {
      calls.push([new URL(request.url).pathname.replace("/api/v1/ajo/a1/", ""), await request.json()]);
      if (calls.length === 1) return no(409, "5 seats are taken, so there cannot be fewer.", "CONFLICT");
      return yes(first, "Done.");
    }),
  );
  signIn();
  show(
    <Routes>
      <Route path="/ajo/:id" element={<AjoPage />} />
    </Routes>,
    `/ajo/a1?tab=${tab}`,
  );
  return calls;
}

describe("an ajo whose list is open", () => {
  it("gets other terms from its owner; a refusal keeps what was written", async () => {
    const calls = room(open());
    await click("Change the terms");
    const dialog = within(await screen.findByRole("dialog", { name: "Change the terms" }));
    const amount = dialog.getByLabelText<HTMLInputElement>("Each hand pays each time");
    expect(amount.value).toBe("10,000.00");
    await userEvent.clear(amount);
    await userEvent.type(amount, "12,000");
    await userEvent.click(dialog.getByRole("radio", { name: /^As people join/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Change them" }));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toEqual([
      "terms",
      expect.objectContaining({ amount: 12_000, duration: 3, order: "JOIN_ORDER", draw: "BEACON", deposit: 0 }),
    ]);
    await waitFor(() => expect(amount.value).toBe("12,000.00"));
    await userEvent.click(dialog.getByRole("button", { name: "Change them" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(calls).toHaveLength(2);
  });

  it("has what was before corrected, and taken back", async () => {
    const calls = room(open({ past: [{ cycle: 1, seat: 2, paid: [1, 2, 3] }] }));
    await click("Cycles before Adashi");
    const dialog = within(await screen.findByRole("dialog", { name: "Cycles before Adashi" }));
    const seat = dialog.getByLabelText<HTMLSelectElement>("Who collected cycle 1?");
    expect(seat.value).toBe("2");
    await userEvent.selectOptions(seat, "3");
    await userEvent.click(dialog.getByRole("button", { name: "Save it" }));
    await waitFor(() => expect(calls).toEqual([["past", { existing: [{ cycle: 1, seat: 3, paid: [1, 2, 3] }] }]]));
    const cycles = dialog.getByLabelText("How many cycles are over?");
    await userEvent.clear(cycles);
    await userEvent.type(cycles, "0");
    await userEvent.click(dialog.getByRole("button", { name: "Save it" }));
    await waitFor(() => expect(calls[1]).toEqual(["past", { existing: [] }]));
  });

  it("is changed by nobody but its owner, and not once it is sealed", async () => {
    const { me, ...rest } = open();
    room({ ...rest, me: { ...me, isOwner: false } });
    await screen.findByRole("button", { name: "Leave this ajo" });
    expect(screen.queryByRole("button", { name: "Change the terms" })).toBeNull();
  });
});

describe("turns that changed", () => {
  it("are told, and none where none did", async () => {
    room(
      ajo({ closing: { closedAt: "2026-09-30T09:00:00Z", drawAt: "2026-09-30T10:00:00Z", rosterDigest: "ab" } }),
      "turns",
    );
    await screen.findByRole("list", { name: "Who collects when." });
    expect(screen.queryByText("Turns that changed since")).toBeNull();
  });

  it("are those that collect in another cycle than at first", async () => {
    room(
      ajo({
        closing: { closedAt: "2026-09-30T09:00:00Z", drawAt: "2026-09-30T10:00:00Z", rosterDigest: "ab" },
        firstOrder: [2, 3, 1],
      }),
      "turns",
    );
    await screen.findByText("Turns that changed since");
    expect(screen.getByText("Seat 1 (Ada Obi) collects in cycle 2, not 3.")).toBeTruthy();
    expect(screen.getByText("Seat 3 (Chidi Eze) collects in cycle 3, not 2.")).toBeTruthy();
    expect(screen.queryByText(/^Seat 2 .* not /)).toBeNull();
  });
});

describe("the public draw", () => {
  const closing = { closedAt: "2026-09-30T09:00:00Z", drawAt: "2026-09-30T10:00:00Z", rosterDigest: "ab" };

  it("tells a member which holder they are, where it names holders by pseudonyms", async () => {
    const { me, ...rest } = ajo({ closing });
    room({ ...rest, me: { ...me, pseudonym: "0f".repeat(16) } }, "rules");
    await screen.findByText("You in the public draw");
    screen.getByText("0f".repeat(16));
  });

  it("says nothing of it where it does not name them", async () => {
    room(ajo({ closing }), "rules");
    await screen.findByText("Seal of the list");
    expect(screen.queryByText("You in the public draw")).toBeNull();
  });
});

describe("a draw by phones", () => {
  it("is chosen when the ajo is made, and its owner's phone commits to a secret for the id that it chose", async () => {
    const user = "01900000-0000-7000-8000-00000000000a";
    useStore.setState({ session: { ...ada, id: user }, authenticated: true });
    const created: Record<string, string>[] = [];
    network.use(
      http.post(`${origin}/api/v1/ajo/preview`, () => yes(preview)),
      http.post(`${origin}/api/Ajo/CreateExistingGroupAjo`, async ({ request }) => {
        created.push((await request.json()) as Record<string, string>);
        return yes(ajo());
      }),
    );
    show(<CreateAjo />, "/ajo/group");
    await userEvent.type(screen.getByLabelText("Name of the ajo"), "Market women");
    await userEvent.type(screen.getByLabelText("Each hand pays each time"), "10,000");
    await click("Continue");
    await userEvent.click(await screen.findByRole("radio", { name: /^As people join/ }));
    expect(screen.queryByRole("radio", { name: /^The members' phones/ })).toBeNull();
    await userEvent.click(screen.getByRole("radio", { name: /^By a draw/ }));
    await userEvent.click(screen.getByRole("radio", { name: /^The members' phones/ }));
    await click("Continue");
    await click("Create the ajo");
    await waitFor(() => expect(created).toHaveLength(1));
    const { id = "", commitment, commitmentVersion, draw, nonce = "" } = created[0] ?? {};
    expect(draw).toBe("PHONES");
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const made = await commitmentOf(id, nonce, keptSecret(id, user) ?? "");
    expect(commitmentVersion).toBe(2);
    expect(commitment).toBe([...made].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  });
});
