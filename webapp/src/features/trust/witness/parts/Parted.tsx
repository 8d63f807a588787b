import { useEffect, useState } from "react";
import { failureText } from "@/api/failure";
import { Note } from "@/ui/bits";
import type { Evidence } from "../device/store";
import { partedFrom } from "../device/watch";
import { Alarm } from "./Alarm";

export interface PartedProps {
  /** The signed note that this device saw first. */
  first: string;
  /** What the ledger said when it refused to continue it. */
  refused: string;
}

type State = { evidence?: Evidence; text?: string };

/** Holds what the ledger shows now against what this device saw first, and raises the alarm. */
export function Parted({ first, refused }: PartedProps) {
  const [now, setNow] = useState<State>({});
  useEffect(() => {
    let shown = true;
    partedFrom(first).then(
      (evidence) => shown && setNow(evidence ? { evidence } : { text: refused }),
      (error) => shown && setNow({ text: `${refused} ${failureText(error)}` }),
    );
    return () => {
      shown = false;
    };
  }, [first, refused]);
  if (now.evidence) return <Alarm evidence={now.evidence} />;
  return (
    <Note tone="danger" live>
      {now.text ?? refused}
    </Note>
  );
}
