import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withdraw } from "@/api/withdrawals";
import { askOpen } from "@/store/asking";
import { sendCommand } from "@/store/command";
import { draftKey } from "@/store/commands";
import { useStore } from "@/store/store";
import { bolaComes } from "../kit/bola";
import { ada, no, origin, pump, show, signIn, yes } from "../kit/help";
import { keysKept } from "../kit/kept";
import { network } from "../kit/network";

const order = { amount: 50_000, net: 49_946.25 };
const taken = { state: "DONE", position: 9, taken: 50_000 };

let keys: string[] = [];
let asked: string[] = [];

/** What the server says of a key from now on. */
const says = (reply: () => Response) =>
  network.use(
    http.get(`${origin}/api/v1/commands/:key`, ({ params }) => {
      asked.push(String(params.key));
      return reply();
    }),
  );

/** Ada withdraws, and no answer comes. */
async function loses(name = "withdraw") {
  network.use(
    http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key") ?? "");
      return HttpResponse.error();
    }),
  );
  await pump(sendCommand({ name, payload: order }, (key) => withdraw(key, order)).catch(() => {}));
  return keys.at(-1);
}

const isOpen = () => keysKept(ada.id).length > 0;

/** Ada in a later session: nothing of the page on which she sent it is left. */
const comesBack = () =>
  useStore.setState({ session: { ...ada, token: "a-later-token" }, authenticated: true, commands: {} });

const shows = (text: string | RegExp) => vi.waitFor(() => expect(screen.getByText(text)).toBeTruthy());

const ask = () => pump(askOpen());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  keys = [];
  asked = [];
  signIn();
  show(null);
});
afterEach(() => void vi.useRealTimers());

describe("the server is asked what became of a try without an answer, and", () => {
  it("says what left the wallet where it was done, and another tap on the same button is still the same", async () => {
    const key = await loses();
    says(() => yes(taken));
    await ask();
    await shows("₦50,000.00 left your wallet. There is no need to do it again.");
    expect(draftKey("withdraw")).toBe(key);
    await ask();
    expect(asked).toEqual([key]);
  });

  it("ends it after the page was left where it was done", async () => {
    const key = await loses();
    comesBack();
    says(() => yes(taken));
    await ask();
    expect(asked).toEqual([key]);
    expect(isOpen()).toBe(false);
    await shows("₦50,000.00 left your wallet. There is no need to do it again.");
    expect(draftKey("withdraw")).not.toBe(key);
  });

  it("ends it where it was refused, with the reason that the command itself was given", async () => {
    await loses();
    const refusal = { status: 422, message: "Your wallet holds ₦20,000.00.", returnedCode: "INSUFFICIENT" };
    says(() => yes({ state: "REFUSED", refusal }));
    await ask();
    expect(isOpen()).toBe(false);
    await shows("Your earlier try was refused: Your wallet holds ₦20,000.00.");
  });

  it("ends it where it never arrived, but not before it can arrive no more", async () => {
    await loses();
    says(() => yes({ state: "UNKNOWN" }));
    await ask();
    expect(isOpen()).toBe(true);
    await vi.advanceTimersByTimeAsync(61_000);
    await ask();
    expect(isOpen()).toBe(false);
    await shows(/never reached us/);
  });

  it.each([
    ["a refusal of the question", () => no(429, "That was too many questions.", "TOO_MANY")],
    ["no answer to the question", () => HttpResponse.error()],
    ["a broken answer", () => no(500, "Something went wrong", "INTERNAL")],
    ["an answer without a state", () => yes({})],
  ])("leaves it open on %s", async (_, reply) => {
    const key = await loses();
    says(reply);
    await vi.advanceTimersByTimeAsync(61_000);
    await ask();
    expect(draftKey("withdraw")).toBe(key);
  });

  it("leaves a payment open that was only started", async () => {
    await loses("pay:s1:rail");
    says(() => yes({ state: "DONE", position: 9, taken: 0 }));
    await ask();
    expect(isOpen()).toBe(true);
  });

  it("asks again by itself", async () => {
    await loses();
    comesBack();
    says(() => yes({ state: "UNKNOWN" }));
    await ask();
    says(() => yes(taken));
    await vi.advanceTimersByTimeAsync(66_000);
    await vi.waitFor(() => expect(isOpen()).toBe(false));
  });

  it("asks when the connection is back", async () => {
    await loses();
    comesBack();
    says(() => yes(taken));
    window.dispatchEvent(new Event("online"));
    await vi.waitFor(() => expect(isOpen()).toBe(false));
  });

  it("asks nothing of Bola's session about Ada's, and about Ada's once she is back", async () => {
    const key = await loses();
    bolaComes();
    says(() => yes(taken));
    await ask();
    expect(asked).toEqual([]);
    useStore.getState().leave("logout");
    comesBack();
    await ask();
    expect(asked).toEqual([key]);
    expect(draftKey("withdraw")).not.toBe(key);
  });

  it("takes no answer for Ada that comes after Bola", async () => {
    const key = await loses();
    let reply: (response: Response) => void = () => {};
    network.use(
      http.get(`${origin}/api/v1/commands/:key`, () => new Promise<Response>((resolve) => (reply = resolve))),
    );
    const question = askOpen();
    await vi.waitFor(() => expect(reply.length).toBe(1));
    bolaComes();
    reply(yes(taken));
    await pump(question);
    useStore.getState().leave("logout");
    signIn();
    expect(draftKey("withdraw")).toBe(key);
  });

  it("asks nothing while it is sent, or when nothing was", async () => {
    draftKey("fund");
    says(() => yes(taken));
    await ask();
    expect(asked).toEqual([]);
  });
});
