import { readFileSync } from "node:fs";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, answer, client } from "@/api/client";
import { asFailure, type Failure } from "@/api/failure";
import { untilAnswered } from "@/api/retry";
import { sendCommand } from "@/store/command";
import { restore } from "@/store/restore";
import { useStore } from "@/store/store";
import { bola, bolaComes } from "../kit/bola";
import { ada, freshPage, no, origin, pump, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

type Code = "TOO_MANY" | "UNAUTHENTICATED" | "CONFLICT" | "UNAVAILABLE" | "STEP_UP";
type Command = { method: "post" | "patch" | "delete"; path: string };

/** Every call of the contract that takes an idempotency key. */
function commandsOfContract(): Command[] {
  const found: Command[] = [];
  let path = "";
  let method = "";
  for (const line of readFileSync("../proto/http/openapi.yaml", "utf8").split("\n")) {
    path = /^ {2}(\/\S+):/.exec(line)?.[1] ?? path;
    method = /^ {4}(get|post|put|patch|delete):/.exec(line)?.[1] ?? method;
    if (line.includes("parameters/idempotencyKey'")) found.push({ method: method as Command["method"], path });
  }
  return found;
}

const commands = commandsOfContract();

interface Body {
  amount: number;
}

/** The server, as the contract has it: a key is taken once, and never with other details. */
function serve({ method, path }: Command, takesFirst: boolean) {
  const effects = new Map<string, string>();
  const bearers: string[] = [];
  let now: "lost" | "well" | { status: number; code: Code } = "lost";
  const take = (who: string, key: string, body: string) => {
    const known = effects.get(`${who} ${key}`);
    if (known !== undefined && known !== body) return no(409, "This was sent before with other details.", "CONFLICT");
    effects.set(`${who} ${key}`, body);
    return yes({}, "Done.");
  };
  network.use(
    http[method](origin + path.replace(/\{(\w+)\}/g, ":$1"), async ({ request }) => {
      const who = request.headers.get("Authorization") ?? "";
      const key = request.headers.get("Idempotency-Key") ?? "";
      const body = await request.text();
      bearers.push(who);
      if (now === "well") return take(who, key, body);
      if (now !== "lost") return no(now.status, "No.", now.code);
      if (takesFirst) take(who, key, body);
      return HttpResponse.error();
    }),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(ada)),
  );
  return {
    turns: (next: typeof now) => {
      now = next;
    },
    /** What was done for somebody. */
    doneFor: ({ token }: { token: string }) => [...effects.keys()].filter((of) => of.startsWith(`Bearer ${token} `)),
  };
}

/** Somebody taps: answers how it went, "done" or what is said of it. */
async function tap({ method, path }: Command, body: Body = { amount: 5000 }): Promise<"done" | Failure> {
  const named = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `${name}-1`]));
  const call = client[method.toUpperCase() as "POST"] as unknown as (path: string, init: object) => never;
  const send = (key: string): Promise<Answer<unknown>> =>
    untilAnswered(() => answer(call(path, { params: { header: { "Idempotency-Key": key }, path: named }, body })));
  return pump(sendCommand({ name: `${method} ${path}`, payload: body }, send).then(() => "done" as const, asFailure));
}

/** The page is loaded again, or the app opened in another tab: only what the browser keeps is known. */
async function reload() {
  const whole = { ...localStorage };
  freshPage();
  localStorage.clear();
  for (const [name, value] of Object.entries(whole)) localStorage.setItem(name, value);
  await pump(restore());
}

type Server = ReturnType<typeof serve>;

const refused = (status: number, code: Code) => async (command: Command, server: Server) => {
  server.turns({ status, code });
  expect(await tap(command)).toMatchObject({ certain: false });
  signIn();
};

/** What comes after the lost answer; "over" where no further try belongs to the same command. */
const events: [string, (command: Command, server: Server) => Promise<unknown>][] = [
  ["a 429", refused(429, "TOO_MANY")],
  ["a 401", refused(401, "UNAUTHENTICATED")],
  ["a 409", refused(409, "CONFLICT")],
  ["a time-out", refused(503, "UNAVAILABLE")],
  [
    "no answer again",
    async (command, server) => {
      server.turns("lost");
      expect(await tap(command)).toMatchObject({ certain: false });
    },
  ],
  [
    "a step-up that the person calls off",
    async (command, server) => {
      const stop = useStore.subscribe(({ stepUpAsked, settleStepUp }) => {
        if (stepUpAsked) queueMicrotask(() => settleStepUp(false));
      });
      await refused(403, "STEP_UP")(command, server);
      stop();
    },
  ],
  ["a reload", reload],
  [
    "a logout and a login of the same person",
    async () => {
      useStore.getState().leave("logout");
      useStore.setState({ session: { ...ada }, authenticated: true });
    },
  ],
  [
    "a logout, and another person who does the same on this phone",
    async (command, server) => {
      bolaComes();
      server.turns("well");
      expect(await tap(command)).toBe("done");
      expect(server.doneFor(bola)).toHaveLength(1);
      useStore.getState().leave("logout");
      signIn();
    },
  ],
  [
    "a second tab that does the same",
    async (command, server) => {
      await reload();
      server.turns("lost");
      expect(await tap(command)).toMatchObject({ certain: false });
    },
  ],
  [
    "another amount",
    async (command, server) => {
      server.turns("well");
      const said = await tap(command, { amount: 4000 });
      if (said === "done") return "over";
      expect(said).toMatchObject({ certain: false });
    },
  ],
];

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("no command of the contract is done twice, and none is said to be refused while it may be done", () => {
  it("there are commands", () => expect(commands.length).toBeGreaterThan(100));

  for (const takesFirst of [true, false]) {
    const first = takesFirst ? "the first try was taken and its answer lost" : "the first try never arrived";
    it.each(events)(`${first}, then came %s`, { timeout: 300_000 }, async (_, then) => {
      for (const command of commands) {
        signIn();
        const server = serve(command, takesFirst);
        expect(await tap(command)).toMatchObject({ kind: "lost", certain: false });
        const over = await then(command, server);
        server.turns("well");
        if (over !== "over") await tap(command);
        expect(server.doneFor(ada), `${command.method} ${command.path}`).toHaveLength(1);
        network.resetHandlers();
        freshPage();
        localStorage.clear();
      }
    });
  }
});
