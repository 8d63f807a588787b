import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "@/api/client";
import { Failure } from "@/api/failure";
import { usePages } from "@/store/usePages";
import { useReading } from "@/store/useReading";

interface Page {
  rows: string[];
  next?: string;
}

type Settle = { answer: (page: Page) => Promise<void>; fail: () => Promise<void>; before: string | undefined };

/** A back end that answers when it is told to. */
function desk() {
  const asked: Settle[] = [];
  const read = (before?: string) =>
    new Promise<Answer<Page>>((resolve, reject) => {
      asked.push({
        before,
        answer: (value) => act(async () => resolve({ value, message: "", stale: false })),
        fail: () => act(async () => reject(new Failure({ kind: "lost" }))),
      });
    });
  return { asked, read };
}

const shown = (hook: { current: { pages: Page[] } }) => hook.current.pages.flatMap(({ rows }) => rows);

describe("a list read page by page", () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  async function open() {
    const { asked, read } = desk();
    const { result } = renderHook(() => usePages(read, "list"));
    await asked[0]?.answer({ rows: ["f", "e", "d"], next: "after-d" });
    expect(shown(result)).toEqual(["f", "e", "d"]);
    return { asked, result };
  }

  it("loses no row where a new one comes while the next page is on its way", async () => {
    const { asked, result } = await open();
    act(() => void result.current.load());
    act(() => void result.current.more());
    // A row came: the first page ends earlier than it did when its next was asked for.
    await asked[1]?.answer({ rows: ["g", "f", "e"], next: "after-e" });
    await asked[2]?.answer({ rows: ["c", "b", "a"] });
    act(() => void result.current.more());
    await asked[3]?.answer({ rows: ["d", "c", "b"], next: "after-b" });
    expect(asked[3]?.before).toBe("after-e");
    expect(shown(result)).toEqual(["g", "f", "e", "d", "c", "b"]);
  });

  it("keeps a page that comes while those before it are read anew", async () => {
    const { asked, result } = await open();
    act(() => void result.current.load());
    act(() => void result.current.more());
    await asked[2]?.answer({ rows: ["c", "b", "a"] });
    await asked[1]?.answer({ rows: ["f", "e", "d"], next: "after-d" });
    expect(shown(result)).toEqual(["f", "e", "d", "c", "b", "a"]);
  });

  it("does not hammer a server that can't be reached, and goes on once it can", async () => {
    const { asked, result } = await open();
    // A list at its end asks again and again.
    const insisting = setInterval(() => act(() => void result.current.more()), 50);
    await vi.advanceTimersByTimeAsync(100);
    await asked[1]?.fail();
    await vi.advanceTimersByTimeAsync(4000);
    expect(asked).toHaveLength(2);
    expect(result.current.paging).toBe(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(3);
    clearInterval(insisting);
    await asked[2]?.answer({ rows: ["c", "b", "a"] });
    await waitFor(() => expect(shown(result)).toHaveLength(6));
    expect(result.current.paging).toBe(false);
  });

  it("shows what it read though changes are told of without a break, and reads once more for all of them", async () => {
    const { asked, result } = await open();
    for (let told = 0; told < 5; told++) act(() => void result.current.load());
    expect(asked).toHaveLength(2);
    await asked[1]?.answer({ rows: ["g", "f", "e"], next: "after-e" });
    expect(shown(result)).toEqual(["g", "f", "e"]);
    await waitFor(() => expect(asked).toHaveLength(3));
    await asked[2]?.answer({ rows: ["h", "g", "f"], next: "after-f" });
    expect(shown(result)).toEqual(["h", "g", "f"]);
    expect(asked).toHaveLength(3);
  });
});

describe("what one screen alone reads", () => {
  it("shows what it read though changes are told of without a break, and reads once more for all of them", async () => {
    const { asked, read } = desk();
    const { result } = renderHook(() => useReading(() => read()));
    const rows = () => (result.current.remote.state === "ready" ? result.current.remote.value.rows : undefined);
    await asked[0]?.answer({ rows: ["1"] });
    for (let told = 0; told < 5; told++) act(() => void result.current.load());
    expect(asked).toHaveLength(2);
    await asked[1]?.answer({ rows: ["2"] });
    expect(rows()).toEqual(["2"]);
    await waitFor(() => expect(asked).toHaveLength(3));
    await asked[2]?.answer({ rows: ["3"] });
    expect(rows()).toEqual(["3"]);
    expect(asked).toHaveLength(3);
  });

  it("drops what was asked for another thing", async () => {
    const { asked, read } = desk();
    const { result, rerender } = renderHook(({ key }) => useReading(() => read(), { key }), {
      initialProps: { key: "one" },
    });
    rerender({ key: "two" });
    expect(asked).toHaveLength(2);
    await asked[1]?.answer({ rows: ["two"] });
    await asked[0]?.answer({ rows: ["one"] });
    expect(result.current.remote).toMatchObject({ state: "ready", value: { rows: ["two"] } });
  });
});
