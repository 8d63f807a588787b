import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { WRITE_WAITS_MS } from "@/api/retry";
import { Modal, Sheet, TopSheet } from "@/ui/overlays";
import { Toaster } from "@/ui/toaster";
import { toaster } from "@/ui/toasts";
import { freshPage } from "./help";
import { network } from "./network";

window.matchMedia = (query: string) =>
  ({
    matches: query.includes("min-width: 1024px") ? window.innerWidth >= 1024 : false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList;

window.scrollTo = () => {};
Element.prototype.scrollTo = () => {};

// How long a screen may take to show something on a machine that stalls for seconds; what never comes still fails.
configure({ asyncUtilTimeout: 20_000 });

// What comes after the first load has come before a test begins.
beforeAll(() => Promise.all([Modal, Sheet, TopSheet, Toaster].map((part) => part.fetch())));

// The tries are what matters; a person who waits between them is not there.
beforeEach(() => void WRITE_WAITS_MS.splice(0, 3, 7, 15, 30));

beforeAll(() => network.listen({ onUnhandledRequest: "error" }));

/** The server marks all that it answers. A page in HTML is a portal's. */
beforeAll(() => {
  const fetched = globalThis.fetch;
  globalThis.fetch = async (...call) => {
    const response = await fetched(...call);
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) response.headers.set("X-Adashi", "api");
    return response;
  };
  return () => {
    globalThis.fetch = fetched;
  };
});
afterEach(() => {
  cleanup();
  network.resetHandlers();
  toaster.remove();
  freshPage();
  localStorage.clear();
});
afterAll(() => network.close());
