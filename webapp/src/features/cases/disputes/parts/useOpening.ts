import { useState } from "react";
import { openDispute } from "@/api/disputes";
import { asFailure, failureText } from "@/api/failure";
import type { Dispute, DisputeKind, MoneyFind, OpenDisputeRequest } from "@/api/schema.gen";
import { openDisputeLimits } from "@/lib/limits.gen";
import { parseAmount, toKobo, toNaira } from "@/lib/money";
import { sendCommand } from "@/store/command";
import { useStore } from "@/store/store";
import { useUnsaved } from "@/store/unsaved";
import type { FilesChange, Sent } from "./Files";
import type { About } from "./useAbout";
import { lengthOf } from "./Words";

const { min: WORDS_MIN } = openDisputeLimits.words;

export interface Draft {
  kind?: DisputeKind;
  amount?: number;
  day?: string;
  /** Money of nobody that the member says is theirs. */
  claimed?: MoneyFind;
  words: string;
  files: Sent[];
  freeze: boolean;
  /** Whether something of a payout that waits is to be held, and how much, as it was typed: all that can be where nothing was. */
  hold: boolean;
  held?: string;
}

const empty: Draft = { words: "", files: [], freeze: true, hold: true };

/** What is to be held of a payout that waits, in naira: 0 for nothing, and undefined for an amount that cannot be. */
function heldOf({ hold, held }: Draft, { holdable }: About): number | undefined {
  if (!hold || holdable === undefined) return 0;
  if (held === undefined) return holdable;
  const typed = parseAmount(held);
  return "kobo" in typed && typed.kobo <= toKobo(holdable) ? toNaira(typed.kobo) : undefined;
}

function formOf(draft: Draft, about: About, kind: DisputeKind): OpenDisputeRequest {
  const { amount, day, claimed, words, files, freeze } = draft;
  return {
    kind,
    words: words.trim(),
    ...about.form,
    amount,
    paidOn: day,
    arrivalId: claimed?.arrivalId,
    ...(heldOf(draft, about) ? { amount: heldOf(draft, about), hold: true } : {}),
    ...(files.length > 0 ? { files: files.map(({ id }) => id) } : {}),
    ...(kind === "NOT_ME" && freeze ? { freeze: true } : {}),
  };
}

/** A dispute on its way, from the first choice to its number; nothing that was typed is lost on the way. */
export function useOpening(about: About) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [draft, setDraft] = useState(empty);
  const [opened, setOpened] = useState<Dispute>();
  const [fault, setFault] = useState<{ words?: boolean; held?: boolean; refused?: string }>({});
  const [sending, setSending] = useState(false);
  useUnsaved(!opened && (draft.words.trim() !== "" || draft.files.length > 0));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const setFiles = (of: FilesChange) => setDraft((before) => ({ ...before, files: of(before.files) }));
  const send = async () => {
    const { kind } = draft;
    if (!kind) return;
    const short = lengthOf(draft.words) < WORDS_MIN;
    const held = heldOf(draft, about) === undefined;
    setFault({ words: short, held });
    if (short || held) return;
    setSending(true);
    try {
      const form = formOf(draft, about, kind);
      // The page that follows says it all: no toast stands over it.
      const { value } = await sendCommand({ name: `dispute:${JSON.stringify(form)}` }, (key) => openDispute(key, form));
      setOpened(value);
      refreshTopics(["disputes", "wallet"]);
    } catch (error) {
      if (!asFailure(error).expired) setFault({ refused: failureText(error) });
    }
    setSending(false);
  };
  return { draft, set, setFiles, send, sending, fault, opened };
}

export type Opening = ReturnType<typeof useOpening>;
