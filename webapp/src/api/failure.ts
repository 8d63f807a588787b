import { errorTexts } from "@/lib/texts/errors";
import type { Envelope } from "./schema.gen";

export type ReturnedCode = Envelope["returnedCode"];

/**
 * How a call failed, by what may be concluded from it:
 * `refused` – the server answered 4xx in its envelope: nothing was changed, for certain;
 * `broken`  – the server answered, but with a 5xx or not in its envelope: it may have acted;
 * `lost`    – no answer of the server came, at all or in time: it may have acted;
 * `doubtful` – the server refused a repeated try, which says nothing of an earlier one without an answer;
 * `ended`   – the session in which it was asked is over: whatever came is not for the person there now.
 */
export type FailureKind = "refused" | "broken" | "lost" | "doubtful" | "ended";

interface Details {
  kind: FailureKind;
  status?: number;
  message?: string;
  code?: ReturnedCode;
  field?: string;
  cancelled?: boolean;
  late?: boolean;
}

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly status?: number;
  readonly said?: string;
  readonly code?: ReturnedCode;
  readonly field?: string;
  /** The person was asked for a step-up and called it off: they know. */
  readonly cancelled: boolean;
  /** No answer came in time: the person has waited long enough, and hears it now. */
  readonly late: boolean;

  constructor({ kind, status, message, code, field, cancelled = false, late = false }: Details) {
    super(message ?? kind);
    this.name = "Failure";
    this.kind = kind;
    this.status = status;
    this.said = message;
    this.code = code;
    this.field = field;
    this.cancelled = cancelled;
    this.late = late;
  }

  /** Whether it is certain that the server changed nothing. */
  get certain(): boolean {
    return this.kind === "refused";
  }

  /** The session is over: that has been said, or is no business of the person there now. */
  get expired(): boolean {
    return this.status === 401 || this.kind === "ended";
  }
}

/**
 * A failure, where an earlier try under the same key had no answer. Only the ledger answers 422, after it has looked the
 * key up: then the earlier try recorded nothing. Every other refusal may come before that, for these details or this
 * session alone, and says nothing of the earlier try.
 */
export function sinceLost(error: unknown): Failure {
  const failure = asFailure(error);
  if (!failure.certain || failure.status === 422) return failure;
  return new Failure({ ...failure, kind: "doubtful", message: failure.said, cancelled: false });
}

export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure({ kind: "broken" });
}

/** The toast's sentence: the server's own, else the action's when nothing answered, else the general one. */
export function failureText(error: unknown, notAnswered: string = errorTexts.noResponse): string {
  const failure = asFailure(error);
  if (failure.said) return failure.said;
  return failure.kind === "lost" ? notAnswered : errorTexts.unknown;
}

export function isTransient(failure: Failure): boolean {
  return failure.status === 500 || /transient failure/i.test(failure.said ?? "");
}

/**
 * The wallet's own sentences. Section 8 gives the first text to "status 500 or a transient failure" and the second
 * to "any other 500": read as any other answer of the five hundreds.
 */
export function walletFailureText(error: unknown): string {
  const failure = asFailure(error);
  if (isTransient(failure)) return errorTexts.wallet.transient;
  if (failure.kind === "lost") return errorTexts.wallet.noResponse;
  if ((failure.status ?? 0) >= 500) return errorTexts.wallet.server;
  return errorTexts.wallet.other;
}
