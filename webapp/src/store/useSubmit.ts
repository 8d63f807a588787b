import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { asFailure, type Failure, failureText } from "@/api/failure";
import { report } from "./report";

interface Command<F extends FieldValues, T> {
  /** Sends what the form says; undefined where nothing was sent, because it is on its way already. */
  send: (values: F) => Promise<T | undefined>;
  /** What follows once it is done. */
  onDone: (answer: T, values: F) => void;
  /** The sentence where no answer came. */
  notAnswered?: string;
  /** The form's field for one that the server names differently. */
  fields?: Partial<Record<string, FieldPath<F>>>;
  /** Where a field is not filled in rightly. */
  onInvalid?: () => void;
  /** Shows a failure in the form's own way; answers whether it did. */
  onFailed?: (failure: Failure, text: string, values: F) => boolean;
}

/** Sends a form as one command. A field that the server refuses shows why, and a toast tells of all other failures. */
export function useSubmit<F extends FieldValues, T>(form: UseFormReturn<F>, command: Command<F, T>) {
  const { send, onDone, notAnswered, fields = {}, onInvalid, onFailed } = command;
  const besideField = (named: string, message: string) => {
    const field = fields[named] ?? (named in form.getValues() ? (named as FieldPath<F>) : undefined);
    if (!field) return false;
    form.setError(field, { message }, { shouldFocus: true });
    return true;
  };
  return form.handleSubmit(async (values) => {
    const sent = await send(values).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ failure: asFailure(error) }),
    );
    if ("answer" in sent) {
      if (sent.answer !== undefined) onDone(sent.answer, values);
      return;
    }
    const { failure } = sent;
    if (!onFailed?.(failure, failureText(failure, notAnswered), values)) report(failure, notAnswered, besideField);
  }, onInvalid);
}
