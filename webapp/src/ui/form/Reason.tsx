import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { Button, type ButtonVariant } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { LongField } from "./fields";

const LEAST = 3;
const MOST = 300;

interface ReasonProps {
  /** Whether the question stands; where it is only there when it does, nothing need be said. */
  open?: boolean;
  title: string;
  children: ReactNode;
  label: string;
  fault: string;
  yes: string;
  no: string;
  variant?: ButtonVariant;
  /** So long at most. */
  most?: number;
  onClose: () => void;
  /** Done when it answers true; the question stays otherwise. */
  onYes: (reason: string) => Promise<boolean>;
}

/** Asks for the reason of what somebody is about to do, and shows how it goes. */
export function ReasonForm({
  children,
  label,
  fault,
  yes,
  no,
  variant,
  most = MOST,
  onClose,
  onYes,
}: Omit<ReasonProps, "title" | "open">) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    setWrong(reason.length < LEAST);
    if (reason.length < LEAST) return;
    setBusy(true);
    const done = await onYes(reason);
    setBusy(false);
    if (done) onClose();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="4">
        <chakra.div color="fg.muted">{children}</chakra.div>
        <LongField label={label} name="reason" maxLength={most} error={wrong ? fault : undefined} disabled={busy} />
        <chakra.div display="flex" gap="3" flexWrap="wrap">
          <Button variant="outline" disabled={busy} onClick={onClose}>
            {no}
          </Button>
          <Button type="submit" variant={variant} loading={busy}>
            {yes}
          </Button>
        </chakra.div>
      </Stack>
    </form>
  );
}

export function Reason({ open = true, title, ...form }: ReasonProps) {
  return (
    <Modal open={open} onClose={form.onClose} title={title}>
      <ReasonForm {...form} />
    </Modal>
  );
}
