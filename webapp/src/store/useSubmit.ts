import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { asFailure, type Failure, failureText } from "@/api/failure";
import { report } from "./report";

interface Way<F extends FieldValues> {
  /** Where a field is not filled in rightly. */
  onInvalid?: () => void;
  /** In a form of several steps: the fields of the one on screen, and what follows it unless it is the last. */
  step?: { fields: readonly FieldPath<F>[]; onNext?: () => void };
}

interface Command<F extends FieldValues, T> extends Way<F> {
  /** Sends what the form says; undefined where nothing was sent or done, and whoever sent it has said why. */
  send: (values: F) => Promise<T | undefined>;
  /** What follows once it is done. */
  onDone?: (answer: T, values: F) => void;
  /** The sentence where no answer came. */
  notAnswered?: string;
  /** The form's field for one that the server names differently. */
  fields?: Partial<Record<string, FieldPath<F>>>;
  /** Brings a field to the screen that the server refuses. */
  onField?: (field: FieldPath<F>) => void;
  /** Shows a failure in the form's own way; answers whether it did. */
  onFailed?: (failure: Failure, text: string, values: F) => boolean;
}

/** A form that a review or a question follows before anything is sent. */
interface Review<F extends FieldValues> extends Way<F> {
  onReview: (values: F) => void;
}

async function sendForm<F extends FieldValues, T>(form: UseFormReturn<F>, command: Command<F, T>, values: F) {
  const { send, onDone, notAnswered, fields, onField, onFailed } = command;
  const besideField = (named: string, message: string) => {
    const field = fields?.[named] ?? (named in form.getValues() ? (named as FieldPath<F>) : undefined);
    if (!field) return false;
    onField?.(field);
    form.setError(field, { message }, { shouldFocus: true });
    return true;
  };
  const sent = await send(values).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ failure: asFailure(error) }),
  );
  if ("answer" in sent) {
    if (sent.answer !== undefined) onDone?.(sent.answer, values);
    return;
  }
  const { failure } = sent;
  if (!onFailed?.(failure, failureText(failure, notAnswered), values)) report(failure, notAnswered, besideField);
}

/** Sends a form as one command. A field that the server refuses shows why, and a toast tells of all other failures. */
export function useSubmit<F extends FieldValues, T = unknown>(
  form: UseFormReturn<F>,
  command: Command<F, T> | Review<F>,
) {
  const { step, onInvalid } = command;
  const submit = form.handleSubmit(
    async (values) => ("onReview" in command ? command.onReview(values) : sendForm(form, command, values)),
    onInvalid,
  );
  return async (event?: { preventDefault: () => void }) => {
    event?.preventDefault();
    // A later step is not marked as sent before it is: its fields complain once they are.
    if (step && !(await form.trigger([...step.fields], { shouldFocus: true }))) return onInvalid?.();
    return step?.onNext ? step.onNext() : submit();
  };
}
