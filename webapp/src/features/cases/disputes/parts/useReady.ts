import { useCallback, useEffect, useRef, useState } from "react";
import { saveDisputeDraft, submitToDispute } from "@/api/disputes";
import type { Dispute } from "@/api/schema.gen";
import { useUnsaved } from "@/store/unsaved";
import { useActs } from "@/store/useCommand";
import type { FilesChange, Sent } from "./Files";

/** What is ready to be sent in a dispute. */
interface Draft {
  words: string;
  files: Sent[];
}

/** How far it is kept: `typing` until it is sent for keeping, `lost` where that went wrong. */
export type Keeping = "nothing" | "typing" | "kept" | "lost";

const KEEP_AFTER_MS = 800;

const EMPTY: Draft = { words: "", files: [] };

const isEmpty = ({ words, files }: Draft) => words.trim() === "" && files.length === 0;

const bodyOf = ({ words, files }: Draft) => ({
  words: words.trim(),
  files: files.map(({ id, name }) => ({ id, name })),
});

/** Keeps one draft after the other, so that an older one never takes the place of a newer one. */
function useKeeper(id: string) {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const keep = useCallback(
    (draft: Draft) => {
      const kept = last.current.then(() => saveDisputeDraft(id, bodyOf(draft)));
      last.current = kept.catch(() => {});
      return kept;
    },
    [id],
  );
  return { keep, allKept: () => last.current };
}

/**
 * What a member gets ready for a dispute of theirs: words and files that go together. It is kept by the server as it is
 * written, so that it can be gone on with later and on another device.
 */
export function useReady(dispute: Dispute, onChanged: (now: Dispute) => void) {
  const { id } = dispute;
  const [draft, setDraft] = useState<Draft>(() => dispute.draft ?? EMPTY);
  const [keeping, setKeeping] = useState<Keeping>(isEmpty(draft) ? "nothing" : "kept");
  const { busy, act } = useActs(["disputes"]);
  const { keep, allKept } = useKeeper(id);
  // The latest one, also for a file that was being sent while words were written.
  const latest = useRef(draft);
  const waiting = useRef(false);
  useUnsaved(keeping === "typing" || keeping === "lost");

  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part };
    waiting.current = true;
    setDraft(latest.current);
    setKeeping("typing");
  };
  const changeFiles = (of: FilesChange) => change({ files: of(latest.current.files) });
  useEffect(() => {
    if (!waiting.current) return;
    const later = setTimeout(() => {
      if (!waiting.current) return;
      waiting.current = false;
      const settle = (how: Keeping) => {
        if (!waiting.current) setKeeping(how);
      };
      keep(draft).then(
        () => settle(isEmpty(draft) ? "nothing" : "kept"),
        () => settle("lost"),
      );
    }, KEEP_AFTER_MS);
    return () => clearTimeout(later);
  }, [draft, keep]);

  const send = async () => {
    waiting.current = false;
    // What is kept after it was sent would be there to be sent again.
    await allKept();
    const body = bodyOf(draft);
    const done = await act(`submit:${id}:${JSON.stringify(body)}`, (key) => submitToDispute(key, id, body));
    if (!done) return change({});
    latest.current = EMPTY;
    setDraft(EMPTY);
    setKeeping("nothing");
    onChanged(done.value);
  };
  return { draft, keeping, busy: busy !== undefined, change, changeFiles, send };
}

export type Ready = ReturnType<typeof useReady>;
