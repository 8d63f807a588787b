import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, notePosition } from "@/api/client";
import { Failure } from "@/api/failure";
import type { Remote } from "@/store/source";
import { useStore } from "@/store/store";
import { usePages, useRead } from "@/store/useRead";
import { ada } from "../kit/help";

interface Page {
  rows: string[];
  next?: string;
}

type Settle = {
  answer: (page: Page, position?: number) => Promise<void>;
  fail: () => Promise<void>;
  before: string | undefined;
};

/** A back end that answers when it is told to. */
function desk() {
  const asked: Settle[] = [];
  const read = ({ before }: { before?: string }) =>
    new Promise<Answer<Page>>((resolve, reject) => {
      asked.push({
        before,
        answer: (value, position) => act(async () => resolve({ value, message: "", stale: false, position })),
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
    const { result } = renderHook(() => usePages({ key: "list", area: "savings", rows: "rows", read }));
    await asked[0]?.answer({ rows: ["f", "e", "d"], next: "after-d" });
    expect(shown(result)).toEqual(["f", "e", "d"]);
    return { asked, result };
  }

  it("loses no row where a new one comes while the next page is on its way", async () => {
    const { asked, result } = await open();
    act(() => void result.current.load());
    act(() => void result.current.more?.());
    // A row came: the first page ends earlier than it did when its next was asked for.
    await asked[1]?.answer({ rows: ["g", "f", "e"], next: "after-e" });
    await asked[2]?.answer({ rows: ["c", "b", "a"] });
    act(() => void result.current.more?.());
    await asked[3]?.answer({ rows: ["d", "c", "b"], next: "after-b" });
    expect(asked[3]?.before).toBe("after-e");
    expect(shown(result)).toEqual(["g", "f", "e", "d", "c", "b"]);
  });

  it("keeps a page that comes while those before it are read anew", async () => {
    const { asked, result } = await open();
    act(() => void result.current.load());
    act(() => void result.current.more?.());
    await asked[2]?.answer({ rows: ["c", "b", "a"] });
    await asked[1]?.answer({ rows: ["f", "e", "d"], next: "after-d" });
    expect(shown(result)).toEqual(["f", "e", "d", "c", "b", "a"]);
  });

  it("does not hammer a server that can't be reached, and goes on once it can", async () => {
    const { asked, result } = await open();
    // A list at its end asks again and again.
    const insisting = setInterval(() => act(() => void result.current.more?.()), 50);
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
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
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
    const { result, rerender } = renderHook(({ key }) => useRead({ key, area: "savings", read }), {
      initialProps: { key: "one" },
    });
    rerender({ key: "two" });
    expect(asked).toHaveLength(2);
    await asked[1]?.answer({ rows: ["two"] });
    await asked[0]?.answer({ rows: ["one"] });
    expect(result.current.remote).toMatchObject({ state: "ready", value: { rows: ["two"] } });
  });
});

describe("every reading", () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  const answer = (rows: string[], stale = false): Answer<Page> => ({ value: { rows }, message: "", stale });
  const errors = () => useStore.getState().errors;
  const remoteOf = (hook: { current: { remote: Remote<Page> } }) => hook.current.remote;

  it("asks again while the server lags behind, and keeps what is on screen meanwhile", async () => {
    const read = vi.fn(async () => answer(["1"]));
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    await waitFor(() => expect(remoteOf(result).state).toBe("ready"));
    read.mockResolvedValueOnce(answer(["old"], true)).mockResolvedValueOnce(answer(["2"]));
    const shown = vi.fn();
    const stop = useStore.subscribe(({ reads }) => shown(JSON.stringify(reads.one?.pages)));
    await act(() => result.current.load());
    stop();
    expect(read).toHaveBeenCalledTimes(3);
    expect(remoteOf(result)).toEqual({ state: "ready", value: { rows: ["2"] } });
    expect(shown.mock.calls.flat().filter((pages) => pages.includes("old"))).toEqual([]);
  });

  it("keeps what is newer on screen, whichever of two answers comes later", async () => {
    const at = (position: number, row: string): Answer<Page> => ({ ...answer([row]), position });
    const read = vi.fn(async () => at(10, "newer"));
    const source = { key: "one", area: "savings", topics: ["wallet"], read } as const;
    const { result } = renderHook(() => useRead(source));
    await waitFor(() => expect(remoteOf(result).state).toBe("ready"));
    const rows = () => (result.current.remote.state === "ready" ? result.current.remote.value.rows : []);
    read.mockResolvedValueOnce(at(9, "older"));
    await act(() => result.current.load());
    expect(rows()).toEqual(["newer"]);
    read.mockResolvedValueOnce(at(11, "newest"));
    await act(() => result.current.load());
    expect(rows()).toEqual(["newest"]);
    // The ledger may be another one after a restore, which the live stream tells.
    read.mockResolvedValue(at(5, "restored"));
    await act(async () => useStore.getState().readAnew());
    await waitFor(() => expect(rows()).toEqual(["restored"]));
  });

  it("keeps what a command has answered, where an answer from before it comes later", async () => {
    const { asked, read } = desk();
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    const rows = () => (result.current.remote.state === "ready" ? result.current.remote.value.rows : []);
    await asked[0]?.answer({ rows: ["before"] }, 7);
    act(() => void result.current.load());
    notePosition(8, useStore.getState().session?.token);
    act(() => result.current.put({ rows: ["answered"] }));
    await asked[1]?.answer({ rows: ["before"] }, 7);
    expect(rows()).toEqual(["answered"]);
    act(() => void result.current.load());
    await asked[2]?.answer({ rows: ["after"] }, 8);
    expect(rows()).toEqual(["after"]);
  });

  it("shows what lags behind where there is nothing else", async () => {
    const read = vi.fn(async () => answer(["old"], true));
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    await waitFor(() => expect(remoteOf(result)).toEqual({ state: "ready", value: { rows: ["old"] } }));
    expect(read).toHaveBeenCalledOnce();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(read).toHaveBeenCalledTimes(7);
  });

  it("keeps its error with its area until one of the area succeeds", async () => {
    const refused = new Failure({ kind: "refused", status: 409, message: "Not now." });
    const read = vi.fn(async (): Promise<Answer<Page>> => Promise.reject(refused));
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    await waitFor(() => expect(remoteOf(result)).toEqual({ state: "failed", text: "Not now.", missing: false }));
    expect(errors()).toEqual({ savings: "Not now." });
    renderHook(() => useRead({ key: "two", area: "wallet", read: async () => answer([]) }));
    await waitFor(() => expect(useStore.getState().reads.two?.pages).toHaveLength(1));
    expect(errors()).toEqual({ savings: "Not now." });
    read.mockResolvedValue(answer(["1"]));
    await act(() => result.current.load());
    expect(errors()).toEqual({});
  });

  it("keeps what is on screen when it fails, unless it is gone", async () => {
    const read = vi.fn(async () => answer(["1"]));
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    await waitFor(() => expect(remoteOf(result).state).toBe("ready"));
    read.mockRejectedValueOnce(new Failure({ kind: "lost" }));
    await act(() => result.current.load());
    expect(remoteOf(result).state).toBe("ready");
    read.mockRejectedValueOnce(new Failure({ kind: "refused", status: 404, message: "Gone." }));
    await act(() => result.current.load());
    expect(remoteOf(result)).toEqual({ state: "failed", text: "Gone.", missing: true });
  });

  it("begins anew on screen when somebody else is signed in", async () => {
    const read = vi.fn(async ({ me }: { me: { id: string } }) => answer([me.id]));
    const { result } = renderHook(() => useRead({ key: "one", area: "savings", read }));
    await waitFor(() => expect(remoteOf(result).state).toBe("ready"));
    act(() => useStore.getState().begin({ session: ada }));
    await waitFor(() => expect(remoteOf(result)).toEqual({ state: "ready", value: { rows: [ada.id] } }));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("is one request for two that show the same, and is forgotten with the last of them", async () => {
    const read = vi.fn(async () => answer(["1"]));
    const source = { key: "one", area: "savings", read } as const;
    const [one, two] = [renderHook(() => useRead(source)), renderHook(() => useRead(source))];
    await waitFor(() => expect(remoteOf(two.result).state).toBe("ready"));
    expect(read).toHaveBeenCalledOnce();
    one.unmount();
    expect(remoteOf(two.result).state).toBe("ready");
    two.unmount();
    expect(useStore.getState().reads).toEqual({});
  });
});
