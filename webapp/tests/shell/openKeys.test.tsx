import { act, renderHook } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReturnedCode } from "@/api/failure";
import { withdraw } from "@/api/withdrawals";
import { outcomeTexts } from "@/lib/texts/outcome";
import { sendCommand } from "@/store/command";
import { begin, draftKey } from "@/store/commands";
import { followOtherTabs, restore } from "@/store/restore";
import { ROOT_KEY, useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { bola, bolaComes } from "../kit/bola";
import { ada, freshPage, no, origin, pump, signIn, yes } from "../kit/help";
import { keepsOpen, keysKept } from "../kit/kept";
import { network } from "../kit/network";

const order = { amount: 50_000, net: 49_946.25 };
const lost = () => HttpResponse.error();

const withdrawing = () =>
  renderHook(() => useCommand({ name: "withdraw", send: (key: string, body: typeof order) => withdraw(key, body) }));

let keys: (string | null)[] = [];

/** From now on each try to withdraw has this answer; notes the keys. */
function server(answer: () => Response) {
  network.use(
    http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return answer();
    }),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
  );
}

type Withdrawing = ReturnType<typeof withdrawing>["result"];

const run = (result: Withdrawing, payload = order) =>
  act(() => pump(result.current.run(payload).catch((error: unknown) => error)));

/** A try of Ada's that nobody answers; answers its key. */
async function loses(result: Withdrawing) {
  server(lost);
  await expect(run(result)).resolves.toMatchObject({ kind: "lost" });
  expect(result.current.state).toBe("unknown");
  return keys.at(-1);
}

const kept = () => JSON.parse(localStorage.getItem(ROOT_KEY) ?? "{}").state as { session: unknown };

/** The page is loaded again: only what the browser keeps is left. */
async function reload() {
  const whole = { ...localStorage };
  freshPage();
  localStorage.clear();
  for (const [name, value] of Object.entries(whole)) localStorage.setItem(name, value);
  await restore();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  keys = [];
  signIn();
});
afterEach(() => void vi.useRealTimers());

describe("after a try without an answer, the outcome stays unknown and the key is kept", () => {
  const answers: [number, string, ReturnedCode][] = [
    [401, "Please log in.", "UNAUTHENTICATED"],
    [403, "This is not yours any more.", "FORBIDDEN"],
    [404, "There is no such group.", "NOT_FOUND"],
    [409, "This request was sent before with other details.", "CONFLICT"],
    [429, "That was too many tries.", "TOO_MANY"],
    [503, "We are very busy just now. Nothing was taken.", "UNAVAILABLE"],
  ];

  it.each(answers)("by a later %i: %s", async (status, message, code) => {
    const { result } = withdrawing();
    const key = await loses(result);
    server(() => no(status, message, code));
    await expect(run(result)).resolves.toMatchObject({ status, certain: false });
    act(signIn);
    server(() => yes({ id: "w1" }));
    await run(result);
    expect(new Set(keys)).toEqual(new Set([key]));
    await run(result);
    expect(keys.at(-1)).not.toBe(key);
  });

  it.each(answers)("by a %i to a quiet repetition of the first try: %s", async (status, message, code) => {
    let tries = 0;
    server(() => {
      tries += 1;
      return tries === 1 ? lost() : no(status, message, code);
    });
    const { result } = withdrawing();
    await expect(run(result)).resolves.toMatchObject({ status, certain: false });
    act(signIn);
    server(() => yes({ id: "w1" }));
    await run(result);
    expect(new Set(keys).size).toBe(1);
  });

  it.each(answers)("where a deed of a button has a later %i: %s", async (status, message, code) => {
    const tapped = () =>
      pump(sendCommand({ name: "approve:a1" }, (key) => withdraw(key, order)).catch((error: unknown) => error));
    server(lost);
    await tapped();
    server(() => no(status, message, code));
    await expect(tapped()).resolves.toMatchObject({ status, certain: false });
    signIn();
    server(() => yes({ id: "w1" }));
    await tapped();
    expect(new Set(keys).size).toBe(1);
  });

  it("by a step-up that is asked for, and called off", async () => {
    const { result } = withdrawing();
    const key = await loses(result);
    server(() => no(403, "Please confirm that it is you.", "STEP_UP"));
    let failed: Promise<unknown> = Promise.resolve();
    act(() => {
      failed = result.current.run(order).catch((error: unknown) => error);
    });
    await vi.waitFor(() => expect(useStore.getState().stepUpAsked).toBe(true));
    await act(async () => {
      useStore.getState().settleStepUp(false);
      await expect(pump(failed)).resolves.toMatchObject({ cancelled: false, certain: false });
    });
    expect(result.current.state).toBe("unknown");
    expect(keysKept(ada.id)).toEqual([key]);
  });

  it("by a closed dialog: once it is open again, the very same is asked about", async () => {
    const first = withdrawing();
    const key = await loses(first.result);
    first.unmount();
    const { result } = withdrawing();
    expect(result.current.state).toBe("unknown");
    server(() => yes({ id: "w1" }));
    await act(async () => void (await pump(result.current.again())));
    expect(keys.at(-1)).toBe(key);
    expect(result.current.state).toBe("ready");
  });

  it("by a reload, after which a refusal still does not end it", async () => {
    const first = withdrawing();
    const key = await loses(first.result);
    first.unmount();
    await reload();
    const { result } = withdrawing();
    expect(result.current.open).toBe(true);
    server(() => no(429, "That was too many tries.", "TOO_MANY"));
    await expect(run(result)).resolves.toMatchObject({ certain: false });
    server(() => yes({ id: "w1" }));
    await run(result);
    expect(new Set(keys)).toEqual(new Set([key]));
    expect(result.current).toMatchObject({ state: "ready", open: false });
  });

  it("by a reload in the middle of the first try", async () => {
    server(() => no(409, "Already asked for.", "CONFLICT"));
    const first = withdrawing();
    let sent: Promise<unknown> = Promise.resolve();
    act(() => {
      sent = first.result.current.run(order).catch(() => {});
    });
    const before = { ...localStorage };
    await act(async () => void (await pump(sent)));
    first.unmount();
    for (const [name, value] of Object.entries(before)) localStorage.setItem(name, value);
    await restore();
    const { result } = withdrawing();
    await expect(run(result)).resolves.toMatchObject({ certain: false });
    expect(new Set(keys).size).toBe(1);
  });

  it("by a logout: Ada has hers again, and Bola never uses it", async () => {
    const first = withdrawing();
    const key = await loses(first.result);
    act(bolaComes);
    server(() => yes({ id: "w1" }));
    await run(first.result);
    expect(keys.at(-1)).not.toBe(key);
    first.unmount();
    useStore.getState().leave("logout");
    await reload();
    signIn();
    const { result } = withdrawing();
    expect(result.current.open).toBe(true);
    await run(result);
    expect(keys.at(-1)).toBe(key);
    await run(result);
    expect(keys.at(-1)).not.toBe(key);
  });

  it("by another amount: that one is not sent, and the first is asked about", async () => {
    const { result } = withdrawing();
    const key = await loses(result);
    const before = keys.length;
    server(() => yes({ id: "w2" }));
    const other = { amount: 40_000, net: 39_946.25 };
    await expect(run(result, other)).resolves.toMatchObject({ certain: false, said: outcomeTexts.askedFirst });
    expect(keys).toHaveLength(before);
    expect(result.current.state).toBe("unknown");
    network.use(http.get(`${origin}/api/v1/commands/:key`, () => yes({ state: "DONE", position: 9, taken: 50_000 })));
    await expect(run(result, other)).resolves.toMatchObject({ certain: false, cancelled: true });
    expect(keys).toHaveLength(before);
    await run(result, other);
    expect(keys).toHaveLength(before + 1);
    expect(keys.at(-1)).not.toBe(key);
  });
});

describe("a key", () => {
  it("that the server knows with other details is set aside when the person begins another, and not forgotten", async () => {
    const { result } = withdrawing();
    const key = await loses(result);
    expect(result.current.pass).toBeUndefined();
    server(() => no(409, "This request was sent before with other details.", "CONFLICT"));
    await run(result);
    act(() => result.current.pass?.());
    expect(result.current).toMatchObject({ state: "ready", open: false });
    expect(keysKept(ada.id)).toEqual([key]);
    server(() => yes({ id: "w2" }));
    await run(result);
    expect(keys.at(-1)).not.toBe(key);
  });

  it("ends with a later 422: the ledger would have said what it recorded", async () => {
    const { result } = withdrawing();
    const key = await loses(result);
    server(() => no(422, "Your wallet holds ₦20,000.00.", "INSUFFICIENT"));
    await expect(run(result)).resolves.toMatchObject({ certain: true });
    expect(result.current.state).toBe("ready");
    await run(result);
    expect(keys.at(-1)).not.toBe(key);
  });

  it("stays with a later 400: the server refuses a note before it looks the key up", async () => {
    const { result } = withdrawing();
    const key = await loses(result);
    server(() => no(400, "A note may have at most 50 characters.", "INVALID"));
    await expect(run(result)).resolves.toMatchObject({ certain: false });
    expect(result.current.state).toBe("unknown");
    await run(result);
    expect(keys.at(-1)).toBe(key);
    act(() => result.current.pass?.());
    expect(result.current).toMatchObject({ state: "ready", open: false });
  });

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "FORBIDDEN"],
    [409, "CONFLICT"],
    [429, "TOO_MANY"],
  ] as const)("ends with a %i to the first try", async (status, code) => {
    server(() => no(status, "No.", code));
    const { result } = withdrawing();
    await expect(run(result)).resolves.toMatchObject({ certain: true });
    act(signIn);
    await run(result);
    expect(new Set(keys).size).toBe(2);
  });

  it("that nothing was sent under goes with its person", () => {
    draftKey("withdraw");
    bolaComes();
    expect(Object.keys(localStorage)).toEqual([ROOT_KEY]);
  });

  it("says nothing of what it was for, once its person has left", async () => {
    server(lost);
    await pump(sendCommand({ name: "add:g1:chidi@example.com" }, (key) => withdraw(key, order)).catch(() => {}));
    bolaComes();
    expect(JSON.stringify({ ...localStorage })).not.toContain("chidi");
  });
});

describe("a tab that has not heard yet", () => {
  const written = (state: object) => localStorage.setItem(ROOT_KEY, JSON.stringify({ state, version: 1 }));

  it("does not wipe out the key that another tab keeps", () => {
    keepsOpen("withdraw", "key-of-the-other-tab");
    useStore.getState().refreshTopics(["wallet"]);
    useStore.getState().toggleSidebar();
    begin(ada.id, "fund", draftKey("fund"), order, false);
    expect(keysKept(ada.id)).toHaveLength(2);
    expect(keysKept(ada.id)).toContain("key-of-the-other-tab");
  });

  it("opens a form under the key of the same form in another tab, and forgets it with its person", () => {
    const key = draftKey("withdraw");
    expect(draftKey("withdraw")).toBe(key);
    bolaComes();
    expect(draftKey("withdraw")).not.toBe(key);
  });

  it("sends under the key that another tab keeps, and knows that it may have been sent", async () => {
    const { result } = withdrawing();
    keepsOpen("withdraw", "key-of-the-other-tab");
    server(() => no(409, "Already asked for.", "CONFLICT"));
    await expect(
      act(() =>
        pump(sendCommand({ name: "withdraw" }, (key) => withdraw(key, order)).catch((error: unknown) => error)),
      ),
    ).resolves.toMatchObject({ certain: false });
    expect(keys).toEqual(["key-of-the-other-tab"]);
    expect(result.current.state).toBe("ready");
  });

  it("does not sign Bola out with a 401 of Ada's, nor put Ada in her place", () => {
    written({ ...kept(), session: bola });
    localStorage.setItem(`adashi-command:${bola.id}:key-of-bola`, JSON.stringify({ key: "key-of-bola" }));
    useStore.getState().toggleSidebar();
    expect(kept().session).toEqual(bola);
    useStore.getState().expire();
    expect(kept().session).toEqual(bola);
    expect(keysKept(bola.id)).toEqual(["key-of-bola"]);
  });

  it("keeps Ada's key for her, and not among Bola's", () => {
    written({ ...kept(), session: bola });
    const key = draftKey("withdraw");
    begin(ada.id, "withdraw", key, order, false);
    expect([keysKept(ada.id), keysKept(bola.id)]).toEqual([[key], []]);
    const stop = followOtherTabs();
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: ROOT_KEY })));
    stop();
    expect(useStore.getState().session).toEqual(bola);
    expect(draftKey("withdraw")).not.toBe(key);
    useStore.getState().leave("logout");
    signIn();
    expect(draftKey("withdraw")).toBe(key);
  });
});
