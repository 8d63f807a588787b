import { chakra } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { Button } from "./Button";
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
