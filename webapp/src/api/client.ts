import createClient from "openapi-fetch";
import { host } from "@/lib/host";
import { hearTime } from "@/lib/present";
import { errorTexts } from "@/lib/texts/errors";
import { Failure } from "./failure";
import type { Envelope, paths } from "./schema.gen";

/** The token of the session: a call belongs to the one in which it was made. */
export const bearer = () => host().token();

/** The server does not know the session of this token any more: it is over, if it is the present one. */
export function sessionExpired(token: string | undefined) {
  if (token === bearer()) host().onExpired();
}

/** The newest ledger position this browser has caused or heard of: reads wait for it. */
export const lastPosition = () => host().position();

/** Takes in a position that the session of a token has seen: another person's reads do not wait for it. */
export function notePosition(seen: number, token: string | undefined) {
  if (token === bearer() && Number.isSafeInteger(seen) && seen > lastPosition()) host().onPosition(seen);
}

/** Every answer of the API has this header. What has it not came from a captive portal or a proxy on the way. */
export const OURS = "X-Adashi";

/** For how long the app waits for an answer. */
const READ_LIMIT_MS = 15_000;
const WRITE_LIMIT_MS = 30_000;

/** Refuses a write where the device has no network: nothing is sent, and nothing is queued. */
export function refuseOffline() {
  if (navigator.onLine === false) throw new Failure({ kind: "refused", message: errorTexts.offline });
}

/** Tells the store who answered. Refuses what did not come from the server; a 5xx says enough by its status. */
export function judgeSource(status: number, isOurs: boolean) {
  if (isOurs) return host().onReached(true);
  if (status >= 500) return;
  host().onReached(false);
  throw new Failure({ kind: "lost" });
}

/** The answer to a request. One in JSON comes whole: its body may stop half way. */
async function fetchInTime(request: Request): Promise<Response> {
  const late = new AbortController();
  const limit = request.method === "GET" ? READ_LIMIT_MS : WRITE_LIMIT_MS;
  const timer = setTimeout(() => late.abort(), limit);
  try {
    const signal = AbortSignal.any([request.signal, late.signal]);
    const response = await globalThis.fetch(request, { signal });
    if (!response.headers.get("Content-Type")?.startsWith("application/json")) return response;
    return new Response(await response.arrayBuffer(), response);
  } catch (error) {
    throw late.signal.aborted ? new Failure({ kind: "lost", late: true }) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function wantsStepUp(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return asEnvelope(body)?.returnedCode === "STEP_UP";
}

/** The one place where a step-up is met: asked for once, and the call made once more, in the same session. */
async function send(request: Request): Promise<Response> {
  if (request.method !== "GET") refuseOffline();
  const token = bearer();
  const again = request.clone();
  const sentAt = Date.now();
  const response = await fetchInTime(request);
  judgeSource(response.status, response.headers.has(OURS));
  hearTime(response.headers.get("Date"), sentAt);
  if (!(await wantsStepUp(response)) || bearer() !== token) return response;
  if (!(await host().onStepUp())) throw new Failure({ kind: "refused", status: 403, cancelled: true });
  if (bearer() !== token) throw new Failure({ kind: "ended" });
  const second = await fetchInTime(again);
  judgeSource(second.status, second.headers.has(OURS));
  return second;
}

const client = createClient<paths>({ baseUrl: globalThis.location.origin, fetch: send });

client.use({
  onRequest({ request }) {
    const token = bearer();
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    if (request.method === "GET" && lastPosition() > 0) {
      request.headers.set("X-Min-Position", String(lastPosition()));
    }
    return request;
  },
  onResponse({ request, response }) {
    const token = request.headers.get("Authorization")?.replace("Bearer ", "");
    if (request.method !== "GET") notePosition(Number(response.headers.get("X-Position") ?? 0), token);
    return undefined;
  },
});

export { client };

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** An answer, its sentence, the position that it stands for, and whether that is older than was asked for. */
export interface Answer<T> {
  value: T;
  message: string;
  stale: boolean;
  /** None where the answer does not depend on the ledger's position. */
  position?: number;
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

function unreached(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // A body that is not JSON is an answer all the same; anything else is the connection.
  return new Failure({ kind: error instanceof SyntaxError ? "broken" : "lost" });
}

/** How a call went that has just been made, if the session in which it was made is still the present one. */
async function reached<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const token = bearer();
  const outcome = await call.catch(unreached);
  const failed = outcome instanceof Failure ? outcome : undefined;
  // What was called off at its step-up was refused, also where the session ended meanwhile.
  if (bearer() !== token && !failed?.cancelled) throw new Failure({ kind: "ended" });
  if (outcome instanceof Failure) throw outcome;
  return outcome;
}

/** Any 401 ends the session. */
function refuse({ data, error, response }: Outcome<unknown>): never {
  const envelope = asEnvelope(data ?? error);
  if (response.status === 401) sessionExpired(bearer());
  const field = envelope?.returnedObject?.field;
  throw new Failure({
    kind: envelope && response.status < 500 ? "refused" : "broken",
    status: response.status,
    message: envelope?.message || undefined,
    code: envelope?.returnedCode,
    field: typeof field === "string" ? field : undefined,
  });
}

/** The one place where an answer is judged. */
export async function answer<E extends Enveloped>(call: Promise<Outcome<E>>): Promise<Answer<Inside<E>>> {
  const outcome = await reached(call);
  const envelope = asEnvelope(outcome.data);
  if (!outcome.response.ok || !envelope?.isSuccessful) return refuse(outcome);
  const { headers } = outcome.response;
  return {
    value: envelope.returnedObject as Inside<E>,
    message: envelope.message,
    stale: headers.get("X-Stale") === "true",
    position: Number(headers.get("X-Position")) || undefined,
  };
}

/** The same for a call that answers a file. */
export async function fileAnswer(call: Promise<Outcome<unknown>>): Promise<Blob> {
  const outcome = await reached(call);
  return outcome.response.ok ? (outcome.data as Blob) : refuse(outcome);
}

/** The same for a call that answers plain text. */
export async function textAnswer(call: Promise<Outcome<unknown>>): Promise<string> {
  const outcome = await reached(call);
  return outcome.response.ok ? String(outcome.data) : refuse(outcome);
}
