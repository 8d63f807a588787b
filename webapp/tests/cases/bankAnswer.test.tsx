import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, expect, it } from "vitest";
import type { BankAnswer, Case } from "@/api/schema.gen";
import { dueWords } from "@/features/cases/support/parts/CaseLine";
import { CasePage } from "@/features/cases/support/screens/CasePage";
import { useStore } from "@/store/store";
import { ada, click, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const by = "2999-11-22T10:00:00Z";

const kase: Case = {
  id: "c1",
  number: "AD-7K2P-9QX3",
  kind: "CARD",
  status: "INVESTIGATING",
  title: "Your bank disputes a card payment",
  amount: 5177.67,
  openedAt: "2026-11-20T10:00:00Z",
  acknowledgeBy: by,
  decideBy: by,
  late: false,
  member: "Member 3F9A",
  userId: "u1",
  isMine: true,
  stepCount: 1,
  staffName: "Ada O.",
  isOpen: true,
  version: 1,
  subjects: ["MEMBER"],
  bankAnswerBy: by,
  steps: [{ kind: "BANK_OPENED", position: 1, by: "BANK", at: "2026-11-20T10:00:00Z", until: by }],
};

const answer: BankAnswer = {
  disputed: 5177.67,
  bankReason: "fraud",
  gateway: "Card",
  answerBy: by,
  facts: ["₦5,177.67 was paid by card."],
  draft: "This payment is right.",
  files: [{ id: "slip", at: "2026-11-20T11:00:00Z" }],
  mayAnswer: true,
  mayAgree: false,
  mayDrop: false,
  ended: false,
  stepCount: 1,
};
const given: BankAnswer = {
  ...answer,
  mayAnswer: false,
  answerId: "a1",
  status: "PROPOSED",
  accepted: true,
  amount: 5177.67,
  words: "It was not them.",
  staffName: "Sade B.",
};

/** The case with an answer as it stands; what is done, what it leaves, and every look, which the ledger records. */
function serves(now: BankAnswer, then: BankAnswer = now, more: Partial<Case> = {}) {
  const seen = { deeds: [] as [string, unknown][], looks: [] as string[], rows: 0 };
  let stands = now;
  let of: Case = { ...kase, ...more };
  const did = async ({ request }: { request: Request }) => {
    seen.deeds.push([new URL(request.url).pathname.replace(/^.*bank-answer/, ""), await request.json()]);
    stands = then;
    of = { ...of, stepCount: then.stepCount };
    return yes(stands, "Recorded.");
  };
  const path = `${origin}/api/v1/support/cases/c1`;
  network.use(
    http.get(`${path}/row`, () => {
      seen.rows += 1;
      return yes(of);
    }),
    http.get(path, () => {
      seen.looks.push("case");
      return yes(of);
    }),
    http.get(`${path}/plan`, () => yes({})),
    http.get(`${path}/labs`, () => yes([])),
    http.get(`${path}/bank-answer`, () => {
      seen.looks.push("answer");
      return yes(stands);
    }),
    http.post(`${path}/bank-answer`, did),
    http.post(`${path}/bank-answer/:deed`, did),
  );
  show(
    <Routes>
      <Route path="/support/:id" element={<CasePage />} />
    </Routes>,
    "/support/c1",
  );
  return seen;
}

beforeEach(() => useStore.setState({ session: { ...ada, roles: ["User", "Support"] }, authenticated: true }));

it("a bank is told that the payment is right, with the draft and the receipt, once its words were seen", async () => {
  const { deeds } = serves(answer, { ...answer, mayAnswer: false, answerId: "a1", status: "TAKEN", accepted: false });
  await click("Answer the bank");
  await screen.findByText("Choose what the bank is told.");
  await userEvent.click(screen.getByRole("radio", { name: /The payment is right/ }));
  expect(screen.getByLabelText<HTMLTextAreaElement>("In words, as the bank reads them").value).toBe(answer.draft);
  await click("Answer the bank");
  await screen.findByText(/No money moves now\. If the bank decides for its customer, it takes ₦5,177\.67 back/);
  await click("Send the answer");
  await screen.findByText("Answered: the bank decides");
  expect(deeds).toEqual([["", { accept: false, words: "This payment is right." }]]);
});

it("money goes back by a proposal that says how much and whose, with a file of the case", async () => {
  const { deeds } = serves(answer, given);
  await userEvent.click(await screen.findByRole("radio", { name: /The payer gets money back/ }));
  await userEvent.type(screen.getByLabelText("In words, as the bank reads them"), "It was not them.");
  await userEvent.clear(screen.getByLabelText("How much goes back"));
  await click("Answer the bank");
  expect(deeds).toEqual([]);
  await userEvent.type(screen.getByLabelText("How much goes back"), "5000");
  await userEvent.selectOptions(screen.getByLabelText("What goes with it"), "slip");
  await click("Answer the bank");
  await screen.findByText(/₦5,000\.00 goes back to the payer once an Admin agrees/);
  await click("Ask an Admin");
  await screen.findByText("Waits for an Admin");
  expect(deeds).toEqual([["", { accept: true, amount: 5000, words: "It was not them.", file: "slip" }]]);
});

it("what the bank has by now is read with the case, when that is read anew; what is typed stays", async () => {
  serves(answer);
  const words = await screen.findByLabelText<HTMLTextAreaElement>("In words, as the bank reads them");
  await userEvent.type(words, "It was not");
  const path = `${origin}/api/v1/support/cases`;
  const now = { ...kase, stepCount: 2 };
  network.use(
    http.get(`${path}/c1/row`, () => yes(now)),
    http.get(`${path}/c1`, () => yes(now)),
    http.get(`${path}/c1/bank-answer`, () => yes({ ...answer, facts: ["It was paid twice."], stepCount: 2 })),
  );
  act(() => useStore.getState().refreshTopics(["desk:support"]));
  await click("Look again");
  await screen.findByText("It was paid twice.");
  expect(screen.getByLabelText<HTMLTextAreaElement>("In words, as the bank reads them").value).toBe("It was not");
});

const told = { ...answer, mayAnswer: false, answerId: "a1", status: "TAKEN", accepted: false } as const;

it("after a deed the case is looked at once, and the answer is the one that the deed brought", async () => {
  const seen = serves(answer, { ...told, stepCount: 3 });
  await userEvent.click(await screen.findByRole("radio", { name: /The payment is right/ }));
  expect(seen.looks).toEqual(["case", "answer"]);
  await click("Answer the bank");
  await click("Send the answer");
  await screen.findByText("Answered: the bank decides");
  await waitFor(() => expect(seen.looks).toEqual(["case", "answer", "case"]));
  act(() => useStore.getState().refreshTopics(["desk:support"]));
  await waitFor(() => expect(seen.rows).toBe(2));
  expect(seen.looks).toEqual(["case", "answer", "case"]);
});

it("the answer is looked at again where more happened in the case than the deed knew of", async () => {
  const { looks } = serves(answer, { ...told, status: "SENT", stepCount: 2 });
  const path = `${origin}/api/v1/support/cases/c1`;
  await userEvent.click(await screen.findByRole("radio", { name: /The payment is right/ }));
  await click("Answer the bank");
  network.use(
    http.get(path, () => yes({ ...kase, stepCount: 3 })),
    http.get(`${path}/bank-answer`, () => yes({ ...told, stepCount: 3 })),
  );
  await click("Send the answer");
  await screen.findByText("Answered: the bank decides");
  expect(looks).toEqual(["case", "answer"]);
});

it("an Admin agrees, and is told what happens with the money", async () => {
  const { deeds } = serves(
    { ...given, mayAgree: true, mayDrop: true },
    { ...given, status: "TAKEN", approvedBy: "Uche O." },
  );
  await click("Agree");
  await screen.findByText(/The bank is told at once, and ₦5,177\.67 goes back to the payer/);
  const [, yesAgree] = screen.getAllByRole("button", { name: "Agree", hidden: true });
  await userEvent.click(yesAgree as HTMLElement);
  await screen.findByText("Accepted");
  expect(deeds).toEqual([["/agree", { answerId: "a1" }]]);
});

it("who proposed it takes it back, and says why", async () => {
  const { deeds } = serves({ ...given, mayDrop: true }, { ...given, status: "DROPPED" });
  await click("Take it back");
  await userEvent.type(await screen.findByLabelText("Reason"), "They know it after all");
  const buttons = screen.getAllByRole("button", { name: "Take it back", hidden: true });
  await userEvent.click(buttons.at(-1) as HTMLElement);
  await waitFor(() => expect(deeds).toEqual([["/drop", { answerId: "a1", words: "They know it after all" }]]));
});

it.each([
  [{ status: "SENT", said: "HTTP 200" }, {}, "Being sent"],
  [{ status: "FAILED", reason: "Too late." }, {}, "Not answered"],
  [{ status: "PROPOSED", answerBy: "2020-01-01T00:00:00Z" }, {}, "The time is over"],
  [{ status: "TAKEN", ended: true, accepted: false }, { steps: [{ kind: "BANK_KEPT" }] }, "Won: the payment stands"],
  [
    { status: "TAKEN", ended: true, accepted: false },
    { steps: [{ kind: "BANK_TOOK_BACK" }] },
    "Lost: the payer got it back",
  ],
  [
    { status: "FAILED", ended: true, accepted: true },
    { steps: [{ kind: "BANK_TOOK_BACK" }] },
    "Lost: the payer got it back",
  ],
] as [Partial<BankAnswer>, Partial<Case>, string][])("it stands as it does: %j", async (more, of, says) => {
  serves({ ...given, accepted: false, ...more }, undefined, {
    ...of,
    steps: (of.steps ?? kase.steps).map((step, position) => ({ ...kase.steps[0], ...step, position }) as never),
  });
  await screen.findByText(says);
  expect(screen.queryByRole("button", { name: "Answer the bank" })).toBeNull();
});

it("the desk says what a bank waits for before what we gave ourselves, also while the member is asked", () => {
  const now = new Date("2999-11-20T10:00:00Z");
  expect(dueWords(kase, now)).toEqual({ words: "Answer the bank within 2 days", late: false });
  expect(dueWords({ ...kase, status: "INFO_REQUESTED", answerBy: by }, new Date("2999-11-21T11:00:00Z"))).toEqual({
    words: "Answer the bank within 23 h",
    late: true,
  });
  expect(dueWords({ ...kase, bankAnswer: "TAKEN" }, now).words).toBe("Due in 2 days");
  expect(dueWords(kase, new Date("2999-11-23T10:00:00Z")).words).toBe("Late by 1 day");
});
