import { useState } from "react";
import { correctionFromLab } from "@/api/corrections";
import type { KeptLab, LabEdit, LabResult, ReplaySubject } from "@/api/schema.gen";
import { getLabs, runLab } from "@/api/support";
import { told } from "@/store/reportMoney";
import { useRead } from "@/store/useRead";

/** What is taken to be otherwise, and what would have followed. */
export function useLab(caseId: string, first: ReplaySubject) {
  const [subject, setSubject] = useState(first);
  const [edits, setEdits] = useState<LabEdit[]>([]);
  const [result, setResult] = useState<LabResult>();
  const [busy, setBusy] = useState(false);
  const kept = useRead({ key: `labs:${caseId}`, area: "support", read: () => getLabs(caseId) });
  const change = (next: LabEdit[]) => {
    setEdits(next);
    setResult(undefined);
  };
  const run = async (of: ReplaySubject, wanted: LabEdit[]) => {
    setBusy(true);
    const done = await told(runLab(caseId, of, wanted));
    setBusy(false);
    setResult(done?.value);
    if (done && wanted.length > 0) void kept.load();
  };
  return {
    subject,
    edits,
    result,
    busy,
    kept: kept.remote.state === "ready" ? kept.remote.value : [],
    choose: (next: ReplaySubject) => {
      setSubject(next);
      setResult(undefined);
    },
    add: (edit: LabEdit) => change([...edits.filter((one) => !sameEvent(one, edit)), edit]),
    remove: (at: number) => change(edits.filter((_, index) => index !== at)),
    run: () => run(subject, edits),
    /** The steps of a correction whose outcome is what the lab shows. */
    planned: async () => {
      setBusy(true);
      const done = await told(correctionFromLab(caseId, subject, edits));
      setBusy(false);
      return done?.value;
    },
    again: (lab: KeptLab) => {
      setSubject(lab.subject);
      setEdits(lab.edits);
      void run(lab.subject, lab.edits);
    },
  };
}

/** An event is otherwise in one way. */
const sameEvent = (one: LabEdit, other: LabEdit) => one.position !== undefined && one.position === other.position;

export type LabAtWork = ReturnType<typeof useLab>;
