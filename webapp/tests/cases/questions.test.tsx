import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditPayment, Question } from "@/api/schema.gen";
import { AuditDesk } from "@/features/trust/auditDesk/screens/AuditDesk";
import { origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const queried: AuditPayment = {
  id: "e1",
  kind: "CONTRIBUTION",
  userId: "u1",
  name: "Jide Afolabi",
  subAccountId: "s1",
  subAccountName: "Weekly thrift",
  amount: 2000,
  date: "2026-11-02T10:00:00Z",
  channel: "WALLET",
  mark: "QUERIED",
  answered: true,
  position: 7,
  oddities: [],
  evidence: [],
  mayMark: true,
  place: { kind: "GROUP", id: "g1", name: "Mile 12" },
};

const thread = (side: Question["side"]): Question => ({
  paymentId: "e1",
  groupId: "g1",
  mark: "QUERIED",
  side,
  queriedAt: "2026-11-03T10:00:00Z",
  days: 1,
  messages: [
    { position: 8, by: "AUDITOR", at: "2026-11-03T10:00:00Z", words: "Who sent it?" },
    { position: 9, by: "MEMBER", at: "2026-11-03T11:00:00Z", words: "My sister." },
    { position: 10, by: "MEMBER", at: "2026-11-03T11:05:00Z", file: "p1" },
  ],
  mayWrite: side !== "READER",
  mayDispute: false,
});

/** The back end of the desk with one queried payment. What was written is kept. */
function desk(side: Question["side"]) {
  const state = { asked: [] as string[], said: [] as string[], payments: [queried] };
  network.use(
    http.get(`${origin}/api/v1/audit`, ({ request }) => {
      state.asked.push(new URL(request.url).searchParams.get("queue") ?? "");
      const queues = [{ queue: "ANSWERED", count: state.payments.length }];
      return yes({ payments: state.payments, places: [queried.place], queues });
    }),
    http.get(`${origin}/api/v1/questions/e1`, () => yes(thread(side))),
    http.post(`${origin}/api/v1/questions/e1`, async ({ request }) => {
      const { words, fileId } = (await request.json()) as { words?: string; fileId?: string };
      state.said.push(words ?? `file ${fileId}`);
      return yes(thread(side), "It is sent.");
    }),
    http.post(`${origin}/api/v1/savings/groups/g1/audit`, () => {
      const coverage = { total: 1, validated: 0, queried: 0, resolved: 1, unreviewed: 0, percent: 0, months: [] };
      return yes(coverage, "Marked.");
    }),
  );
  show(
    <Routes>
      <Route path="/audit" element={<AuditDesk />} />
    </Routes>,
    "/audit?queue=ANSWERED",
  );
  return state;
}

beforeEach(signIn);

describe("a queried payment that its member answered", () => {
  it("is in a queue of its own, with its sign on the row, until it is resolved", async () => {
    const { asked } = desk("AUDITOR");
    const row = await screen.findByRole("button", { name: /Jide Afolabi.*Answered/s });
    expect(asked).toEqual(["ANSWERED"]);
    expect(screen.getByRole("button", { name: "Answered (1)" }).getAttribute("aria-current")).toBe("page");
    row.focus();
    await userEvent.keyboard("r");
    await userEvent.type(await screen.findByRole("textbox", { name: "Why?" }), "His sister's name agrees.");
    await userEvent.click(screen.getAllByRole("button", { name: "Resolve" }).at(-1) as HTMLElement);
    await waitFor(() => expect(document.querySelector("[data-audit]")).toBeNull());
  });

  it("is asked more about by keys alone", async () => {
    const { said } = desk("AUDITOR");
    const box = await screen.findByRole("textbox", { name: "Ask more" });
    await userEvent.keyboard("a");
    expect(document.activeElement).toBe(box);
    await userEvent.keyboard("Which bank?{Escape}");
    expect(document.activeElement).not.toBe(box);
    await userEvent.keyboard("a");
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(said).toEqual(["Which bank?"]));
  });

  it("is answered on an ajo's desk too by who paid, and only read by others", async () => {
    desk("MEMBER");
    expect(await screen.findByRole("textbox", { name: "Your answer" })).toBeTruthy();
    expect(screen.getAllByText(/^You ·/)).toHaveLength(2);
  });

  it("is answered with a file, which who audits it can open", async () => {
    const { said } = desk("MEMBER");
    network.use(http.post(`${origin}/api/file/profile`, () => yes({ id: "f1", url: "/api/v1/files/f1", bytes: 9 })));
    await screen.findByRole("button", { name: "Add a file" });
    const picker = document.querySelector<HTMLInputElement>("[data-picker]");
    if (!picker) throw new Error("no picker");
    await userEvent.upload(picker, new File(["%PDF-1.4"], "slip.pdf", { type: "application/pdf" }));
    await waitFor(() => expect(said).toEqual(["file f1"]));
    expect(screen.getByRole("button", { name: /^Open the file of 3 Nov/ })).toBeTruthy();
  });

  it("has no box for who only reads", async () => {
    desk("READER");
    await screen.findByText("My sister.");
    expect(screen.queryByRole("textbox", { name: "Ask more" })).toBeNull();
  });
});
