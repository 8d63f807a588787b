import createClient from "openapi-fetch";
import { Failure } from "./failure";
import type { paths } from "./schema.gen";
import type { Envelope } from "./types";

/** What the client must know of the one signed in, told by the store. */
interface Caller {
  token: () => string | undefined;
  onExpired: () => void;
}

let caller: Caller = { token: () => undefined, onExpired: () => {} };
let position = 0;

export function setCaller(next: Caller) {
  caller = next;
}

export function bearer(): string | undefined {
  return caller.token();
}

export function sessionExpired() {
  caller.onExpired();
}

/** The newest ledger position this browser has caused or heard of: reads wait for it. */
export function lastPosition(): number {
  return position;
}

export function notePosition(seen: number) {
  if (Number.isSafeInteger(seen) && seen > position) position = seen;
}

export function forgetPosition() {
  position = 0;
}

const client = createClient<paths>({
  baseUrl: globalThis.location.origin,
  fetch: (request) => globalThis.fetch(request),
});

client.use({
  onRequest({ request }) {
    const token = caller.token();
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    if (request.method === "GET" && position > 0) request.headers.set("X-Min-Position", String(position));
    return request;
  },
  onResponse({ request, response }) {
    if (request.method !== "GET") notePosition(Number(response.headers.get("X-Position") ?? 0));
    return undefined;
  },
});

export { client };

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** An answer, its sentence, and whether it stands for an older position than was asked for. */
export interface Answer<T> {
  value: T;
  message: string;
  stale: boolean;
}

interface Enveloped {
  message: string;
  returnedObject?: unknown;
}

type Inside<E> = E extends { returnedObject: infer V } ? V : undefined;

function asEnvelope(body: unknown): (Envelope & { returnedObject?: { field?: unknown } | null }) | undefined {
  if (typeof body !== "object" || body === null || !("isSuccessful" in body)) return undefined;
  return body as Envelope;
}

/** The one place where an answer is judged. Any 401 ends the session. */
export async function answer<E extends Enveloped>(call: Promise<Outcome<E>>): Promise<Answer<Inside<E>>> {
  let outcome: Outcome<E>;
  try {
    outcome = await call;
  } catch (error) {
    // A body that is not JSON is an answer all the same; anything else is the connection.
    throw new Failure({ kind: error instanceof SyntaxError ? "broken" : "lost" });
  }
  const { response } = outcome;
  const envelope = asEnvelope(outcome.data ?? outcome.error);
  if (response.ok && envelope?.isSuccessful) {
    return {
      value: (outcome.data as { returnedObject?: unknown }).returnedObject as Inside<E>,
      message: envelope.message,
      stale: response.headers.get("X-Stale") === "true",
    };
  }
  if (response.status === 401) sessionExpired();
  const field = envelope?.returnedObject?.field;
  throw new Failure({
    kind: envelope && response.status < 500 ? "refused" : "broken",
    status: response.status,
    message: envelope?.message || undefined,
    code: envelope?.returnedCode,
    field: typeof field === "string" ? field : undefined,
  });
}
