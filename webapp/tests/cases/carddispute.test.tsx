import { screen } from "@testing-library/react";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import type { Dispute, DisputeStep } from "@/api/schema.gen";
import { DisputePage } from "@/features/cases/disputes/screens/DisputePage";
import { origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const opened: DisputeStep = {
  kind: "BANK_OPENED",
  position: 1,
  by: "BANK",
  at: "2026-11-20T10:00:00Z",
  until: "2026-11-22T10:00:00Z",
};

const dispute: Dispute = {
  id: "d1",
  number: "ADA-7K2P-9QX",
  kind: "CARD",
  status: "OPEN",
  title: "Your bank disputes a card payment",
  amount: 5000,
  openedAt: "2026-11-20T10:00:00Z",
  acknowledgeBy: "2026-11-21T10:00:00Z",
  decideBy: "2026-11-22T10:00:00Z",
  late: false,
  steps: [opened],
  mayAdd: true,
  mayAnswer: false,
  mayWithdraw: false,
  mayReopen: false,
};

const page = (now: Dispute) => {
  signIn();
  network.use(http.get(`${origin}/api/v1/disputes/d1`, () => yes(now)));
  const routes = (
    <Routes>
      <Route path="/disputes/:id" element={<DisputePage />} />
    </Routes>
  );
  show(routes, "/disputes/d1");
};

it("what the bank of a card disputes is explained while it is open", async () => {
  page(dispute);
  await screen.findByText("The bank of the card asks");
  await screen.findByText(/waits for what Adashi says until 22 Nov/);
  expect(screen.queryByRole("button", { name: "Take it back" })).toBeNull();
});

it.each([
  ["fraud", /Was it you, or somebody who used your card/],
  ["chargeback", /If you asked for that, say below what went wrong/],
  [undefined, /Was it you, or somebody who used your card/],
] as const)("it asks what fits the bank's reason: %s", async (bankReason, says) => {
  page({ ...dispute, bankReason });
  await screen.findByText(says);
});

it.each([
  ["BANK_TOOK_BACK", "RESOLVED_UPHELD", /What it took leaves your wallet/],
  ["BANK_KEPT", "RESOLVED_REJECTED", /Nothing changes/],
] as const)("it ends with what the bank says: %s", async (kind, status, says) => {
  const ended: DisputeStep = { kind, position: 2, by: "BANK", at: "2026-11-21T10:00:00Z" };
  page({ ...dispute, status, steps: [opened, ended], resolvedAt: "2026-11-21T10:00:00Z", mayAdd: false });
  await screen.findByText(says);
  expect(screen.queryByText("The bank of the card asks")).toBeNull();
});

it("once Adashi has answered, the bank's question is asked no more", async () => {
  const told: DisputeStep = {
    kind: "CARD_DECLINED",
    position: 2,
    by: "SUPPORT",
    at: "2026-11-21T10:00:00Z",
    words: "It is right.",
  };
  page({ ...dispute, steps: [opened, told] });
  await screen.findByText("We have answered the bank");
  await screen.findByText("It is right.");
  expect(screen.queryByText("The bank of the card asks")).toBeNull();
});
