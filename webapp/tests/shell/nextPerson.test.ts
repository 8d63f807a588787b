import { readdirSync, readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { http } from "msw";
import ts from "typescript";
import { expect, it, vi } from "vitest";
import { createDeviceSlice } from "@/store/deviceSlice";
import { followOtherTabs } from "@/store/restore";
import { ROOT_KEY, type State, useStore } from "@/store/store";
import { toast } from "@/ui/toaster";
import { bola } from "../kit/bola";
import { account, ada, freshPage, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const ofDevice = createDeviceSlice(useStore.setState, useStore.getState, useStore);

/** All that the slices of a session hold, whatever it is. */
const heldIn = (state: State) =>
  Object.fromEntries(
    Object.entries(state).filter(([name, value]) => typeof value !== "function" && !(name in ofDevice)),
  );

const MARK = "of Ada";

/** The same with something of Ada in it; what is changed in place is changed in place. */
function marked(value: unknown): unknown {
  if (value instanceof Map) return value.set(MARK, MARK);
  if (value instanceof Set) return value.add(MARK);
  if (Array.isArray(value)) return [...value, () => MARK];
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return 4242;
  if (typeof value !== "object" || value === null) return MARK;
  return { ...markedFields(value), [MARK]: MARK };
}

const markedFields = (of: object) =>
  Object.fromEntries(Object.entries(of).map(([name, inner]) => [name, marked(inner)]));

const logsIn = () => useStore.getState().login(bola.email, "a password");

const ways: [string, () => unknown][] = [
  ["logs out", () => useStore.getState().logout().then(logsIn)],
  ["is logged out by time", () => Promise.resolve(useStore.getState().expire()).then(logsIn)],
  ["changes the password", () => Promise.resolve(useStore.getState().leave("password")).then(logsIn)],
  [
    "is replaced in another tab",
    () => {
      localStorage.setItem(ROOT_KEY, JSON.stringify({ state: { session: bola }, version: 1 }));
      window.dispatchEvent(new StorageEvent("storage", { key: ROOT_KEY }));
    },
  ],
];

it.each(ways)("nothing of Ada is left in the store for Bola where Ada %s", async (_, comesBola) => {
  freshPage();
  const fresh = structuredClone(heldIn(useStore.getState()));
  expect(Object.keys(fresh).length).toBeGreaterThan(12);
  network.use(
    http.post(`${origin}/api/Account/GetToken`, () => yes(bola)),
    http.post(`${origin}/api/v1/account/logout`, () => yes()),
    http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes({ ...account, ...bola })),
  );
  const stop = followOtherTabs();
  useStore.setState(markedFields(heldIn(useStore.getState())));
  signIn();
  let atFirst: object | undefined;
  const unsubscribe = useStore.subscribe((now) => {
    if (now.session?.id === bola.id) atFirst ??= structuredClone(heldIn(now));
  });
  await comesBola();
  await vi.waitFor(() => expect(atFirst).toBeDefined());
  unsubscribe();
  stop();
  expect(atFirst).toEqual({ ...fresh, session: bola, authenticated: true });
  expect(JSON.stringify(useStore.getState().tab)).not.toContain(ada.token);
});

it("a device that is full knows nothing of Ada either once she has left", () => {
  signIn();
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  useStore.getState().leave("logout");
  full.mockRestore();
  expect(JSON.stringify([useStore.getState().tab, { ...localStorage }])).not.toContain(ada.token);
});

it("what was said to Ada is not on Bola's screen", async () => {
  show(null);
  signIn();
  toast.warning("It is done", "\u20a650,000.00 left your wallet.");
  await screen.findByText("\u20a650,000.00 left your wallet.");
  useStore.getState().leave("logout");
  useStore.getState().begin({ session: bola });
  await vi.waitFor(() => expect(screen.queryByText("\u20a650,000.00 left your wallet.")).toBeNull());
});

/** Where a module has a variable, or something that is changed in place, by its file and line. */
function changingIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(`src/${file}`, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name, type, initializer } of statement.declarationList.declarations) {
      const isReadonly = type?.getText().startsWith("Readonly") || type?.getText().startsWith("readonly");
      const changes =
        (initializer &&
          ts.isNewExpression(initializer) &&
          /^(Weak)?(Map|Set)$/.test(initializer.expression.getText())) ||
        /^(\[\]|\{\})$/.test(initializer?.getText() ?? "");
      if (!isConst || (changes && !isReadonly)) found.push(`${file}: ${name.getText()}`);
    }
  }
  return found;
}

it("no module keeps anything beside the store, except for what the store injects", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(changingIn)).toEqual(["lib/host.ts: current"]);
});
