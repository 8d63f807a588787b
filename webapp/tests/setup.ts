import { cleanup, configure } from "@testing-library/react";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import { useStore } from "@/store/store";

/** The network, and nothing but the network, is pretended. */
export const network = setupServer();

window.matchMedia = (query: string) =>
  ({
    matches: query.includes("min-width: 1024px") ? window.innerWidth >= 1024 : false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList;

window.scrollTo = () => {};
Element.prototype.scrollTo = () => {};

// How long a screen may take to show something; what never comes still fails.
configure({ asyncUtilTimeout: 5000 });

beforeAll(() => network.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  cleanup();
  network.resetHandlers();
  useStore.setState(useStore.getInitialState(), true);
  localStorage.clear();
});
afterAll(() => network.close());
