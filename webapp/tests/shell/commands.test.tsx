import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withdraw } from "@/api/withdrawals";
import { outcomeTexts } from "@/lib/texts/outcome";
import { sendCommand, type Wanted } from "@/store/command";
import { readCommands } from "@/store/commands";
import { followOtherTabs, restore } from "@/store/restore";
import { ROOT_KEY, useStore } from "@/store/store";
import { bola, bolaComes } from "../kit/bola";
import { ada, freshPage, no, origin, pump, signIn, yes } from "../kit/help";
import { keysKept } from "../kit/kept";
import { network } from "../kit/network";

const order = { amount: 50_000, net: 49_946.25 };
const lost = () => HttpResponse.error();

let keys: string[] = [];
let answer: () => Response = lost;

/** Somebody taps; answers "done" or how it failed. */
const tap = (wanted: Partial<Wanted> = {}) =>
  pump(
    sendCommand({ name: "withdraw", payload: order, ...wanted }, (key) => withdraw(key, order)).then(
      () => "done",
      (error: unknown) => error,
    ),
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  keys = [];
  answer = lost;
  signIn();
  network.use(
    http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
      const key = request.headers.get("Idempotency-Key") ?? "";
      if (!keys.includes(key)) keys.push(key);
      return answer();
    }),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The device takes nothing more; what is there can be removed. */
const fills = () =>
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });

describe("a device that is full", () => {
  it("sends no payment whose key it cannot keep", async () => {
    fills();
    await expect(tap()).resolves.toMatchObject({ certain: true, said: outcomeTexts.noRoom });
    expect(keys).toEqual([]);
    expect(useStore.getState().commands).toEqual({});
  });

  it("freezes one's money all the same", async () => {
    fills();
    answer = () => yes({});
    await expect(tap({ name: "freeze", free: true })).resolves.toBe("done");
  });

  it("in the middle of a payment keeps the key that it has, until it is done", async () => {
    await tap();
    fills();
    answer = () => no(429, "That was too many tries.", "TOO_MANY");
    await expect(tap()).resolves.toMatchObject({ certain: false });
    expect(keysKept(ada.id)).toEqual(keys);
    answer = () => yes({ id: "w1" });
    await expect(tap()).resolves.toBe("done");
    expect(keys).toHaveLength(1);
    expect(keysKept(ada.id)).toEqual([]);
  });

  it("lets nobody stay logged in who has left", () => {
    fills();
    expect(() => useStore.getState().leave("logout")).not.toThrow();
    expect(localStorage.getItem(ROOT_KEY)).toBeNull();
  });
});

describe("what has no known outcome", () => {
  it("is kept without any name, account or amount, while its person is signed in and after", async () => {
    await tap({ name: "add:g1:chidi@example.com", payload: { amount: 50_000, account: "0123456789" } });
    const said = () => JSON.stringify(Object.entries(localStorage).filter(([name]) => name !== ROOT_KEY));
    expect(keysKept(ada.id)).toHaveLength(1);
    expect(said()).not.toMatch(/chidi|50000|0123456789|g1/);
    bolaComes();
    expect(said()).not.toMatch(/chidi|50000|0123456789|g1/);
  });

  it("keeps the same due from being paid in another way", async () => {
    await tap({ name: "pay:s1" });
    answer = () => yes({});
    await expect(tap({ name: "pay:s1:rail", beside: "pay:s1" })).resolves.toMatchObject({
      said: outcomeTexts.askedFirst,
    });
    expect(keys).toHaveLength(1);
    await expect(tap({ name: "pay:s2:rail", beside: "pay:s2" })).resolves.toBe("done");
  });

  it("gives way to a later word, where it may be set again", async () => {
    const consent = (given: boolean) => tap({ name: "consent:a1", payload: given, free: true });
    await consent(false);
    answer = () => yes({});
    await expect(consent(true)).resolves.toBe("done");
    await expect(consent(false)).resolves.toBe("done");
    expect(keys).toHaveLength(3);
  });

  it("is the same in a second and a third tab, and after a reload", async () => {
    await tap();
    for (let tab = 0; tab < 2; tab++) {
      const whole = { ...localStorage };
      freshPage();
      for (const [name, value] of Object.entries(whole)) localStorage.setItem(name, value);
      await pump(restore());
      await tap();
    }
    expect(keys).toHaveLength(1);
  });

  it("is ended in a tab where another tab has learned of its outcome", async () => {
    await tap();
    const stop = followOtherTabs();
    const [key] = keysKept(ada.id);
    localStorage.removeItem(`adashi-command:${ada.id}:${key}`);
    window.dispatchEvent(new StorageEvent("storage", { key: `adashi-command:${ada.id}:${key}` }));
    stop();
    expect(useStore.getState().commands).toEqual({});
  });

  it("is of the person who sent it, whoever uses the phone meanwhile", async () => {
    await tap();
    bolaComes();
    expect(readCommands()).toEqual([]);
    answer = () => yes({ id: "w1" });
    await expect(tap()).resolves.toBe("done");
    expect([keys.length, keysKept(bola.id)]).toEqual([2, []]);
    useStore.getState().leave("logout");
    signIn();
    await expect(tap()).resolves.toBe("done");
    expect(keys).toHaveLength(2);
  });
});

describe("keys that an earlier build kept", () => {
  const state = {
    session: ada,
    sidebarCollapsed: false,
    figuresHidden: false,
    savedFilters: {},
    signedUpAs: null,
  };
  const written = (more: object) => {
    freshPage();
    localStorage.setItem(ROOT_KEY, JSON.stringify({ state: { ...state, ...more }, version: 1 }));
  };

  it("are the keys of the same commands, and no draft among them", async () => {
    const intents = { withdraw: "key-of-before", fund: "key-of-a-draft" };
    written({ intents, unsent: { fund: "key-of-a-draft" } });
    await pump(restore());
    answer = () => no(409, "This was sent before with other details.", "CONFLICT");
    await expect(tap()).resolves.toMatchObject({ certain: false });
    expect(keys).toEqual(["key-of-before"]);
    expect(keysKept(ada.id)).toEqual(["key-of-before"]);
    expect(localStorage.getItem(ROOT_KEY)).not.toContain("key-of");
  });
});
