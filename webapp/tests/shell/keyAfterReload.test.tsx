import { act, renderHook } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withdraw } from "@/api/withdrawals";
import { restore } from "@/store/restore";
import { useCommand } from "@/store/useCommand";
import { ada, freshPage, origin, pump, show, signIn, yes } from "../kit/help";
import { keysKept } from "../kit/kept";
import { network } from "../kit/network";

const order = { amount: 50_000, net: 49_946.25 };
const withdrawing = () =>
  renderHook(() => useCommand({ name: "withdraw", send: (key: string, body: typeof order) => withdraw(key, body) }));
let keys: (string | null)[] = [];
function server(answer: () => Response, outcome: object | undefined) {
  network.use(
    http.post(`${origin}/api/v1/wallet/withdrawals`, ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return answer();
    }),
    http.get(`${origin}/api/v1/commands/:key`, () => (outcome ? yes(outcome) : HttpResponse.error())),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
  );
}
async function reload() {
  const whole = { ...localStorage };
  freshPage();
  localStorage.clear();
  for (const [name, value] of Object.entries(whole)) localStorage.setItem(name, value);
  await restore();
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  keys = [];
  signIn();
  show(null);
});
afterEach(() => void vi.useRealTimers());

it("a withdrawal after one that is known to have gone through has a key of its own, after a reload too", async () => {
  server(() => HttpResponse.error(), undefined);
  const first = withdrawing();
  await act(() => pump(first.result.current.run(order).catch(() => {})));
  const key = keys.at(-1);
  first.unmount();
  await reload();
  server(() => yes({ id: "w" }), { state: "DONE", position: 9, taken: 50_000 });
  const { result } = withdrawing(); // The form opens, and asks what became of it.
  await vi.waitFor(() => expect(keysKept(ada.id)).toEqual([])); // "₦50,000.00 left your wallet" was said.
  await act(() => pump(result.current.run(order)));
  expect(keys.at(-1)).not.toBe(key);
});

it("a try that was sent a moment ago is not said never to have come, however long the tries before it took", async () => {
  server(
    () => {
      vi.setSystemTime(Date.now() + 25_000); // A connection that hangs for 25 s, and breaks.
      return HttpResponse.error();
    },
    { state: "UNKNOWN" },
  ); // The last try is on its way to the server.
  const { result } = withdrawing();
  await act(() => pump(result.current.run(order).catch(() => {})));
  await act(() => pump(new Promise((resolve) => setTimeout(resolve, 500))));
  expect(keysKept(ada.id)).toEqual([keys.at(-1)]);
});
