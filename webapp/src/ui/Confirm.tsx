import { chakra } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { Button } from "./Button";
import { Note } from "./bits";
import { Modal } from "./overlays";

interface ConfirmProps {
  open: boolean;
  title: string;
  children: ReactNode;
  yes: string;
  no: string;
  danger?: boolean;
  /** Whether there is something to say yes to already. */
  ready?: boolean;
  onClose: () => void;
  /** Done when it resolves; the question stays while it answers false. */
  onYes: () => Promise<boolean>;
}

/** Asks whether somebody means it, and shows how it goes. */
export function Confirm({
  open,
  title,
  children,
  yes,
  no,
  danger = false,
  ready = true,
  onClose,
  onYes,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    const done = await onYes();
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="outline" disabled={busy} onClick={onClose}>
            {no}
          </Button>
          <Button variant={danger ? "danger" : "primary"} loading={busy} disabled={!ready} onClick={go}>
            {yes}
          </Button>
        </>
      }
    >
      <chakra.div color="fg.muted">{children}</chakra.div>
    </Modal>
  );
}

const t = { title: "This has changed since you looked", saw: "You saw: ", now: "There is now: " };

/** Both of what somebody decides about: what they saw, and what is there now. */
export function Changed({ saw, now }: { saw: ReactNode; now: ReactNode }) {
  return (
    <Note tone="warning" title={t.title} live>
      <p>
        {t.saw}
        {saw}
      </p>
      <p>
        {t.now}
        {now}
      </p>
    </Note>
  );
}

/**
 * What a person began to decide about: it stays as it was while something else may take its place. `version` names it.
 * `look` begins with what is there now, and `done` ends it.
 */
export function useSeen<T>(now: T, version: (shown: T) => string | undefined) {
  const [looked, setLooked] = useState<T>();
  const saw = looked ?? now;
  return {
    saw,
    changed: version(saw) !== version(now),
    look: () => setLooked(now),
    done: () => setLooked(undefined),
  };
}
