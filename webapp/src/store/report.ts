import { asFailure, failureText } from "@/api/failure";
import { toast } from "@/ui/toaster";

/**
 * Shows a failed action where it belongs: beside the field the server named, else as an Error toast. A session that
 * has ended has said so itself, and who called a step-up off knows.
 */
export function report(error: unknown, notAnswered?: string, onField?: (field: string, text: string) => boolean) {
  const failure = asFailure(error);
  if (failure.cancelled || (failure.expired && failure.code !== "CREDENTIALS")) return;
  const text = failureText(failure, notAnswered);
  if (failure.field && onField?.(failure.field, text)) return;
  toast.error(text);
}

const DONE = "Operation Successful!";

/** The Success toast: the server's sentence, with what the product adds to it. */
export function succeed(message: string, added?: string) {
  toast.success([message || DONE, added].filter(Boolean).join(" "));
}
