import { createParser } from "eventsource-parser";
import { host } from "@/lib/host";
import { bearer, lastPosition, notePosition, OURS, sessionExpired } from "./client";

interface Listener {
  onTopics: (topics: string[]) => void;
  /** Too much was missed: everything should be read again. */
  onReset: () => void;
  /** The server answers again after a time in which it could not be heard. */
  onBack?: () => void;
}

const FIRST_WAIT_MS = 400;
/** A stream that opens later than this is not told of all that changed since the page began to read. */
const OPEN_LIMIT_MS = 5000;
const LONGEST_WAIT_MS = 15_000;
/** The server's heartbeat: beatEvery in services/internal/live. */
const BEAT_MS = 15_000;
/** A stream that says nothing for so long is dead, although nobody closed it. */
const SILENCE_MAX_MS = 2 * BEAT_MS;
/** One that was silent for so long when its page comes back to the front is opened again at once. */
const LATE_BEAT_MS = BEAT_MS + 5000;

function topicsOf(data: string, token: string | undefined): string[] {
  try {
    const { position, topics } = JSON.parse(data) as { position?: number; topics?: unknown };
    if (position !== undefined) notePosition(position, token);
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === "string") : [];
  } catch {
    return [];
  }
}

interface Reading extends Listener {
  token: string | undefined;
  onId: (id: string) => void;
  onHeard: () => void;
  signal: AbortSignal;
}

/** Reads to the stream's end; what it tells is for the session that opened it. */
async function readStream(body: ReadableStream<Uint8Array>, { token, onId, onHeard, signal, ...listener }: Reading) {
  const parser = createParser({
    onEvent(event) {
      if (bearer() !== token) return;
      if (event.id !== undefined) onId(event.id);
      const topics = topicsOf(event.data, token);
      if (event.event === "reset") listener.onReset();
      else if (topics.length > 0) listener.onTopics(topics);
    },
  });
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onHeard();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

/** Calls `onSilence` once nothing was heard for too long. */
function watchdog(onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heardAt = 0;
  return {
    heard() {
      heardAt = Date.now();
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MAX_MS);
    },
    /** Timers stand still while a device sleeps: its clock does not. */
    isLate: () => Math.abs(Date.now() - heardAt) > LATE_BEAT_MS,
    stop: () => clearTimeout(timer),
  };
}

/** Calls `onBack` when the device has a network again, and `onFront` when the page comes back to the front. */
function onReturn(onBack: () => void, onFront: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  window.addEventListener("online", onBack, { signal });
  for (const event of ["focus", "pageshow"]) window.addEventListener(event, onFront, { signal });
  document.addEventListener("visibilitychange", () => document.hidden || onFront(), { signal });
  return () => over.abort();
}

/**
 * Listens for one session until it is stopped: reconnects with growing waits and resumes where it stopped. A stream
 * that went silent is opened again, also when the device is online again or wakes.
 */
export function listen(listener: Listener): () => void {
  const token = bearer();
  let stopped = false;
  const began = performance.now();
  let lastId = lastPosition() > 0 ? String(lastPosition()) : undefined;
  let wait = FIRST_WAIT_MS;
  let connection = new AbortController();
  let wake: () => void = () => {};
  let away = false;
  const reopen = () => {
    away = true;
    wait = FIRST_WAIT_MS;
    connection.abort();
    wake();
  };
  const silence = watchdog(reopen);

  async function connect() {
    connection = new AbortController();
    const { signal } = connection;
    silence.heard();
    const headers: Record<string, string> = { Accept: "text/event-stream", Authorization: `Bearer ${token ?? ""}` };
    if (lastId !== undefined) headers["Last-Event-ID"] = lastId;
    const response = await fetch("/api/live", { headers, signal, cache: "no-store" });
    const isOurs = response.headers.has(OURS);
    if (response.status === 401 && isOurs) {
      stopped = true;
      sessionExpired(token);
    }
    if (!response.ok || !isOurs || !response.body || bearer() !== token) return;
    wait = FIRST_WAIT_MS;
    host().onReached(true);
    if (lastId === undefined && performance.now() - began > OPEN_LIMIT_MS) listener.onReset();
    else if (away) listener.onBack?.();
    away = false;
    const onId = (id: string) => {
      lastId = id;
    };
    const onHeard = () => {
      silence.heard();
      host().onReached(true);
    };
    await readStream(response.body, { ...listener, token, onId, onHeard, signal });
  }

  async function keepListening() {
    while (!stopped && bearer() === token) {
      await connect().catch(() => {
        away = true;
      });
      silence.stop();
      if (stopped) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, wait * (0.75 + Math.random() / 2));
      });
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  const leave = onReturn(reopen, () => silence.isLate() && reopen());
  void keepListening();
  return () => {
    stopped = true;
    leave();
    silence.stop();
    connection.abort();
    wake();
  };
}
