import { Route, Routes } from "react-router";
import type { Dispute, DisputeStep } from "@/api/schema.gen";
import { DisputePage } from "@/features/cases/disputes/screens/DisputePage";
import { Disputes } from "@/features/cases/disputes/screens/Disputes";
import { NewDispute } from "@/features/cases/disputes/screens/NewDispute";

export const WORDS = "I paid at noon by transfer and it is not there.";

export const step = (kind: DisputeStep["kind"], position: number, more: Partial<DisputeStep> = {}): DisputeStep => ({
  kind,
  position,
  by: "MEMBER",
  at: "2026-11-20T10:00:00Z",
  ...more,
});

export const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  id: "d1",
  number: "ADA-7K2P-9QX",
  kind: "NOT_CREDITED",
  status: "OPEN",
  title: "I paid and it is not there",
  amount: 5000,
  openedAt: "2026-11-20T10:00:00Z",
  acknowledgeBy: "2026-11-21T10:00:00Z",
  decideBy: "2026-11-23T10:00:00Z",
  late: false,
  steps: [step("OPENED", 1, { words: WORDS })],
  mayAdd: true,
  mayAnswer: false,
  mayWithdraw: true,
  mayReopen: false,
  ...more,
});

export const app = (
  <Routes>
    <Route path="/disputes" element={<Disputes />} />
    <Route path="/disputes/new" element={<NewDispute />} />
    <Route path="/disputes/:id" element={<DisputePage />} />
  </Routes>
);
