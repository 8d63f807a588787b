import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpdateBar } from "@/app/UpdateBar";
import { inPlace, lazyPart } from "@/ui/lazyPart";
import { origin, show } from "../kit/help";
import { network } from "../kit/network";

const FAILED = "This part of the page could not be loaded.";
const Screen = () => <h1>Here</h1>;

describe("a part that does not come", () => {
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ["in its place", { failed: inPlace }],
    ["over the page", {}],
  ])("is asked for again on wish, %s", async (_where, options) => {
    const load = vi
      .fn(async () => Screen)
      .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
      .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
    const Part = lazyPart(load, options);
    show(<Part />);
    await screen.findByText(FAILED);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText(FAILED);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "Here" });
    expect(load).toHaveBeenCalledTimes(3);
  });

  it("comes at once when it is shown anew and has come meanwhile", async () => {
    const load = vi.fn(async () => Screen).mockRejectedValueOnce(new TypeError("lost"));
    const Part = lazyPart(load);
    const { unmount } = show(<Part />);
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "Here" });
    unmount();
    show(<Part />);
    await screen.findByRole("heading", { name: "Here" });
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe("a part that comes", () => {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  afterEach(() => {
    environment.IS_REACT_ACT_ENVIRONMENT = true;
    vi.useRealTimers();
  });

  it("is fetched once, and shown at once, where that was begun before", async () => {
    const load = vi.fn(async () => Screen);
    const Part = lazyPart(load, { waiting: <p>Waits</p> });
    Part.fetch();
    await act(() => new Promise((resolve) => setImmediate(resolve)));
    show(<Part />);
    screen.getByRole("heading", { name: "Here" });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("is there without a wait, though something stood in for it", async () => {
    // As outside of tests; what waits for a time waits for ever.
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const Inner = lazyPart(() => Promise.resolve(Screen), { waiting: <p>Inner waits</p> });
    let come = (_part: typeof Inner) => {};
    const Part = lazyPart(() => new Promise<typeof Inner>((resolve) => (come = resolve)), { waiting: <p>Waits</p> });
    show(<Part />);
    await turnsUntil(() => screen.queryByText("Waits"));
    come(Inner);
    await turnsUntil(() => screen.queryByRole("heading", { name: "Here" }));
    expect(screen.queryByText("Inner waits")).toBeNull();
  });
});

/** Lets everything happen that waits for no time. */
async function turnsUntil(there: () => unknown) {
  for (let turn = 0; turn < 200 && !there(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(there()).toBeTruthy();
}

describe("a new build", () => {
  const script = document.createElement("script");
  beforeEach(() => {
    script.type = "module";
    script.setAttribute("src", "/assets/index-old.js");
    document.head.append(script);
  });
  afterEach(() => script.remove());

  const page = (src: string) =>
    network.use(http.get(`${origin}/`, () => HttpResponse.html(`<script type="module" src="${src}"></script>`)));
  const gone = () => act(() => void window.dispatchEvent(new Event("vite:preloadError")));

  it("is offered when a part is gone and the server has another one", async () => {
    page("/assets/index-new.js");
    show(<UpdateBar />);
    expect(screen.queryByText("Adashi was updated.")).toBeNull();
    gone();
    await screen.findByText("Adashi was updated.");
    screen.getByRole("button", { name: "Reload" });
  });

  it("is not offered where the line alone is broken", async () => {
    const asked = vi.fn(() => HttpResponse.html('<script type="module" src="/assets/index-old.js"></script>'));
    network.use(http.get(`${origin}/`, asked));
    show(<UpdateBar />);
    gone();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    await act(() => new Promise((resolve) => setImmediate(resolve)));
    expect(screen.queryByText("Adashi was updated.")).toBeNull();
  });
});
