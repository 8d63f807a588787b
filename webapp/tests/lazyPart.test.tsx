import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpdateBar } from "@/app/UpdateBar";
import { inPlace, lazyPart } from "@/ui/lazyPart";
import { origin, show } from "./help";
import { network } from "./network";

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
