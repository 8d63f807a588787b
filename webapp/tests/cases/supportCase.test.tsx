import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { useStore } from "@/store/store";
import { click, faultOf, no, origin, show } from "../kit/help";
import { network } from "../kit/network";
import { app, as, kase, mine, serves } from "./support";

beforeEach(() => as("Support"));

describe("a case", () => {
  it("is taken first; then the member is asked, and their name shown for a reason", async () => {
    const state = serves(kase(), () => mine());
    show(app, "/support/c1");
    await screen.findByText("Member 3F9A");
    expect(screen.queryByText("Time machine")).toBeNull();
    expect(screen.queryByRole("button", { name: "Decide" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Show the name" })).toBeNull();
    await click("Take it");
    await click("Ask the member");
    const dialog = await screen.findByRole("dialog", { name: "Ask the member something" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Send the question" }));
    expect(faultOf(within(dialog).getByLabelText("Your question"))).toBe("Ask in at least three letters.");
    await userEvent.type(within(dialog).getByLabelText("Your question"), "Which month did you mean?");
    await userEvent.click(within(dialog).getByRole("button", { name: "Send the question" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await click("Show the name");
    const why = await screen.findByRole("dialog", { name: "Why do you need the name?" });
    await userEvent.type(within(why).getByLabelText("Reason"), "To call her");
    await userEvent.click(within(why).getByRole("button", { name: "Show the name" }));
    await screen.findByText("Bisi Cole (Member 3F9A)");
    expect(state.deeds).toEqual([
      ["take", undefined],
      ["ask", { words: "Which month did you mean?" }],
      ["names", { reason: "To call her", userIds: ["u1"] }],
    ]);
  });

  it("says that something has happened since, and is read anew only when asked", async () => {
    const state = serves(mine());
    show(app, "/support/c1");
    await screen.findAllByText("It went to October.");
    const heard = () => act(() => useStore.getState().refreshTopics(["desk:support"]));
    heard();
    await waitFor(() => expect(state.rows).toBe(2));
    expect(screen.queryByText(/^Something has happened/)).toBeNull();
    const answered = {
      kind: "ANSWERED",
      position: 901,
      by: "MEMBER",
      at: "2026-11-21T10:00:00Z",
      words: "My own.",
    } as const;
    state.now = mine({ steps: [...mine().steps, answered], stepCount: 2 });
    heard();
    await screen.findByText(/^Something has happened in this case/);
    expect(state.looks).toBe(1);
    await click("Look again");
    await screen.findByText("My own.");
    await waitFor(() => expect(screen.queryByText(/^Something has happened/)).toBeNull());
    expect(state.looks).toBe(2);
  });

  it.each([
    ["somebody else takes it", mine(), kase({ status: "INVESTIGATING", stepCount: 2 })],
    ["it is nobody's", kase(), kase({ stepCount: 2 })],
    ["it is over", mine({ isOpen: false, status: "RESOLVED_UPHELD" }), kase({ status: "REOPENED", stepCount: 2 })],
  ])("says so too when %s", async (_, first, then) => {
    const state = serves(first);
    show(app, "/support/c1");
    await screen.findAllByText("It went to October.");
    state.now = then;
    act(() => useStore.getState().refreshTopics(["desk:support"]));
    await screen.findByText(/^Something has happened in this case/);
    expect(state.looks).toBe(1);
  });

  it("may have a hold allowed, and extended once", async () => {
    const held = (status: "ASKED" | "HELD" | "EXTENDED") =>
      mine({ hold: { amount: 1500, status, ...(status === "ASKED" ? {} : { until: "2026-11-27T10:00:00Z" }) } });
    const next = { ASKED: "HELD", HELD: "EXTENDED" } as const;
    let at: "ASKED" | "HELD" | "EXTENDED" = "ASKED";
    const state = serves(held(at), () => {
      if (at !== "EXTENDED") at = next[at];
      return held(at);
    });
    show(app, "/support/c1");
    await screen.findByText("₦1,500.00, once Support has looked at it");
    await click("Allow the hold");
    await screen.findByText("₦1,500.00, until 27 Nov 2026, 11:00 at most");
    await click("Hold it seven days more");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Hold it seven days more" })).toBeNull());
    expect(state.deeds).toEqual([
      ["hold", undefined],
      ["hold", undefined],
    ]);
  });

  it("is decided with words and a confirmation, and is over then", async () => {
    const state = serves(mine(), () =>
      mine({ isOpen: false, status: "RESOLVED_UPHELD", resolvedAt: "2026-11-21T10:00:00Z" }),
    );
    show(app, "/support/c1");
    await click("Decide");
    await screen.findByText("Choose who is right.");
    await userEvent.click(screen.getByRole("radio", { name: /The member is right/ }));
    await userEvent.type(screen.getByLabelText("What happened, and what was put right"), "It is in November now.");
    await click("Decide");
    const dialog = await screen.findByRole("dialog", { name: "Decide for the member?" });
    expect(state.deeds).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Decide" }));
    await screen.findByText("For the member");
    expect(screen.queryByText("Time machine")).toBeNull();
    expect(state.deeds).toEqual([["resolve", { upheld: true, words: "It is in November now." }]]);
  });

  it("shows a refusal and keeps what was typed", async () => {
    serves(mine());
    network.use(
      http.post(`${origin}/api/v1/support/cases/c1/resolve`, () => no(409, "Take the case first.", "CONFLICT")),
    );
    show(app, "/support/c1");
    await userEvent.click(await screen.findByRole("radio", { name: /No mistake found/ }));
    await userEvent.type(screen.getByLabelText("What happened, and what was put right"), "It was all right.");
    await click("Decide");
    const dialog = await screen.findByRole("dialog", { name: /no mistake/ });
    await userEvent.click(within(dialog).getByRole("button", { name: "Decide" }));
    await screen.findByText("Take the case first.");
    expect(screen.getByLabelText("What happened, and what was put right")).toHaveProperty("value", "It was all right.");
  });
});
