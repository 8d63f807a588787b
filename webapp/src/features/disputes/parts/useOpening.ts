import { useState } from "react";
import { openDispute } from "@/api/disputes";
import { asFailure, failureText } from "@/api/failure";
import type { Dispute, DisputeKind, MoneyFind, OpenDispute } from "@/api/types";
import { once } from "@/store/once";
import { useStore } from "@/store/store";
import { useUnsaved } from "@/store/unsaved";
import type { Sent } from "./Files";
import type { About } from "./useAbout";
import { lengthOf } from "./Words";

const WORDS_MIN = 10;

export interface Draft {
  kind?: DisputeKind;
  amount?: number;
  day?: string;
  /** Money of nobody that the member says is theirs. */
  claimed?: MoneyFind;
  words: string;
  files: Sent[];
  freeze: boolean;
}

const empty: Draft = { words: "", files: [], freeze: true };

function formOf(draft: Draft, about: About, kind: DisputeKind): OpenDispute {
  const { amount, day, claimed, words, files, freeze } = draft;
  return {
    kind,
    words: words.trim(),
    ...about.form,
    amount,
    paidOn: day,
    arrivalId: claimed?.arrivalId,
    ...(files.length > 0 ? { files: files.map(({ id }) => id) } : {}),
    ...(kind === "NOT_ME" && freeze ? { freeze: true } : {}),
  };
}

/** A dispute on its way, from the first choice to its number; nothing that was typed is lost on the way. */
export function useOpening(about: About) {
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [draft, setDraft] = useState(empty);
  const [opened, setOpened] = useState<Dispute>();
  const [fault, setFault] = useState<{ words?: boolean; refused?: string }>({});
  const [sending, setSending] = useState(false);
  useUnsaved(!opened && (draft.words.trim() !== "" || draft.files.length > 0));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const send = async () => {
    const { kind } = draft;
    if (!kind) return;
    const short = lengthOf(draft.words) < WORDS_MIN;
    setFault({ words: short });
    if (short) return;
    setSending(true);
    try {
      const form = formOf(draft, about, kind);
      // The page that follows says it all: no toast stands over it.
      const { value } = await once(`dispute:${JSON.stringify(form)}`, (key) => openDispute(key, form));
      setOpened(value);
      refreshTopics(["disputes", "wallet"]);
    } catch (error) {
      if (!asFailure(error).expired) setFault({ refused: failureText(error) });
    }
    setSending(false);
  };
  return { draft, set, send, sending, fault, opened };
}

export type Opening = ReturnType<typeof useOpening>;
