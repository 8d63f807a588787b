import { Stack } from "@chakra-ui/react";
import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { Unmatched } from "@/api/schema.gen";
import { report, succeed } from "@/store/report";
import { Button } from "@/ui/Button";
import { LongField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const REASON_MIN = 5;
const REASON_MAX = 200;

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

/** Sends what a form says. A field that the server refuses shows why; names says which field shows which of its own. */
export function sends<F extends FieldValues>(
  { handleSubmit, setError }: UseFormReturn<F>,
  names: Record<string, Parameters<typeof setError>[0]>,
  send: (said: F) => Promise<{ value: Unmatched; message: string }>,
  onChanged: (next: Unmatched) => void,
) {
  return handleSubmit(async (said) => {
    try {
      const { value, message } = await send(said);
      succeed(message);
      onChanged(value);
    } catch (error) {
      report(error, undefined, (field, text) => {
        const shown = names[field];
        if (!shown) return false;
        setError(shown, { message: text }, { shouldFocus: true });
        return true;
      });
    }
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
