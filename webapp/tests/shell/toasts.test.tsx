import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useStore } from "@/store/store";
import { toast } from "@/ui/toaster";
import { show } from "../kit/help";

describe("a toast", () => {
  afterEach(() => void vi.useRealTimers());

  it("is gone after four seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(<p>Here</p>);
    toast.error("It failed.");
    await screen.findByText("It failed.");
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(shown()).toEqual(["ErrorIt failed."]);
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect(shown()).toEqual([]);
  });

  it("stays while the pointer is on it", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(<p>Here</p>);
    toast.error("It failed.");
    const region = (await screen.findByText("It failed.")).closest("[aria-live]") as HTMLElement;
    fireEvent.mouseMove(region);
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect(shown()).toEqual(["ErrorIt failed."]);
    fireEvent.mouseLeave(region);
    await act(() => vi.advanceTimersByTimeAsync(4500));
    expect(shown()).toEqual([]);
  });

  const shown = () => [...document.querySelectorAll("[data-toast]")].map((one) => one.textContent);

  it("stands alone: the newest takes the place of the one before", async () => {
    show(<p>Here</p>);
    toast.success("The first.");
    await screen.findByText("The first.");
    toast.success("The second.");
    await screen.findByText("The second.");
    await waitFor(() => expect(shown()).toEqual(["SuccessThe second."]));
    expect(document.querySelector("[aria-live]")).toBeTruthy();
  });

  it("goes when the search opens, since it would be over what was found", async () => {
    show(<p>Here</p>);
    toast.success("It is done.");
    await screen.findByText("It is done.");
    useStore.getState().openSearch(true);
    await waitFor(() => expect(shown()).toEqual([]), { timeout: 2000 }); // By itself it goes later.
  });

  it("makes way for the form that it stands over, and for no other", async () => {
    show(
      <form>
        <input aria-label="Amount" />
      </form>,
    );
    const at = (top: number) => ({ left: 0, right: 300, top, bottom: top + 100 }) as DOMRect;
    const form = document.querySelector("form") as HTMLFormElement;
    vi.spyOn(form, "getBoundingClientRect").mockReturnValue(at(0));
    toast.success("It is done.");
    const root = (await screen.findByText("It is done.")).closest("[data-toast]") as HTMLElement;
    const stood = vi.spyOn(root, "getBoundingClientRect").mockReturnValue(at(400));
    await userEvent.type(screen.getByLabelText("Amount"), "1");
    expect(shown()).toEqual(["SuccessIt is done."]);
    stood.mockReturnValue(at(20));
    await userEvent.type(screen.getByLabelText("Amount"), "2");
    await waitFor(() => expect(shown()).toEqual([]));
  });
});
