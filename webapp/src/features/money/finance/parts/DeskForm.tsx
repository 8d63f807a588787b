import { Stack } from "@chakra-ui/react";
import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { Unmatched } from "@/api/schema.gen";
import { proposeUnmatchedLimits } from "@/lib/limits.gen";
import { succeed } from "@/store/report";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { LongField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const { min: REASON_MIN, max: REASON_MAX } = proposeUnmatchedLimits.reason;

export interface OfArrival {
  arrival: Unmatched;
  onChanged: (next: Unmatched) => void;
}

interface DeskFormProps {
  onSubmit: FormEventHandler;
  send: string;
  sending: boolean;
  children: ReactNode;
}

/** The fields of something that the desk says of an arrival, and the button that sends it. */
export function DeskForm({ onSubmit, send, sending, children }: DeskFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="5">
        {children}
        <Button type="submit" size="lg" fullWidth loading={sending}>
          {send}
        </Button>
      </Stack>
    </form>
  );
}

type ReasonProps = Omit<ComponentProps<typeof LongField>, "label" | "help" | "maxLength"> & {
  label?: string;
  help?: string;
};

/** Why the desk says so. */
export const Reason = ({ label = t.why, help = t.whyHelp, ...field }: ReasonProps) => (
  <LongField label={label} help={help} maxLength={REASON_MAX} {...field} />
);

/** The rule of a reason: long enough, or the words that say so. */
export const reasoned = (fault: string = t.whyFault) => ({
  validate: (reason: string) => reason.trim().length >= REASON_MIN || fault,
});

/** Sends what a form says. A field that the server refuses shows why; fields says which, by the server's names. */
export function useDeskForm<F extends FieldValues>(
  form: UseFormReturn<F>,
  fields: Record<string, FieldPath<F>>,
  send: (said: F) => Promise<{ value: Unmatched; message: string }>,
  onChanged: (next: Unmatched) => void,
) {
  return useSubmit(form, {
    send,
    onDone: ({ value, message }) => {
      succeed(message);
      onChanged(value);
    },
    fields,
  });
}

interface OpensProps extends OfArrival {
  /** Names the arrival for a person who cannot see where the button stands. */
  label: (named: string) => string;
  title: string;
  variant?: "primary" | "outline";
  form: (onChanged: (next: Unmatched) => void) => ReactNode;
}

/** A button that opens a form about an arrival. It closes once the arrival has changed. */
export function OpensForm({ arrival, onChanged, label, title, variant = "primary", form }: OpensProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant={variant}
        aria-label={label(arrival.reference || arrival.providerRef || "")}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={title}>
        {form((next) => {
          setOpen(false);
          onChanged(next);
        })}
      </Modal>
    </>
  );
}
