import { createParser } from "eventsource-parser";
import { bearer, lastPosition, notePosition, sessionExpired } from "./client";

interface Listener {
  onTopics: (topics: string[]) => void;
  /** Too much was missed: everything should be read again. */
  onReset: () => void;
}

const FIRST_WAIT_MS = 400;
/** A stream that opens later than this is not told of all that changed since the page began to read. */
const OPEN_LIMIT_MS = 5000;
const LONGEST_WAIT_MS = 15_000;

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
}

/** Reads to the stream's end; what it tells is for the session that opened it. */
async function readStream(body: ReadableStream<Uint8Array>, { token, onId, ...listener }: Reading) {
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
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

/** Listens for one session until it is stopped: reconnects with growing waits and resumes where it stopped. */
export function listen(listener: Listener): () => void {
  const token = bearer();
  let stopped = false;
  const began = performance.now();
  let lastId = lastPosition() > 0 ? String(lastPosition()) : undefined;
  let wait = FIRST_WAIT_MS;
  let connection = new AbortController();
  let wake: () => void = () => {};

  async function connect() {
    connection = new AbortController();
    const headers: Record<string, string> = { Accept: "text/event-stream", Authorization: `Bearer ${token ?? ""}` };
    if (lastId !== undefined) headers["Last-Event-ID"] = lastId;
    const response = await fetch("/api/live", { headers, signal: connection.signal, cache: "no-store" });
    if (response.status === 401) {
      stopped = true;
      sessionExpired(token);
    }
    if (!response.ok || !response.body || bearer() !== token) return;
    wait = FIRST_WAIT_MS;
    if (lastId === undefined && performance.now() - began > OPEN_LIMIT_MS) listener.onReset();
    const onId = (id: string) => {
      lastId = id;
    };
    await readStream(response.body, { ...listener, token, onId });
  }

  async function keepListening() {
    while (!stopped && bearer() === token) {
      await connect().catch(() => {});
      if (stopped) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, wait * (0.75 + Math.random() / 2));
      });
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  const onOnline = () => {
    wait = FIRST_WAIT_MS;
    wake();
  };
  window.addEventListener("online", onOnline);
  void keepListening();
  return () => {
    stopped = true;
    window.removeEventListener("online", onOnline);
    connection.abort();
    wake();
  };
}
