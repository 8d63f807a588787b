import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const sources = new Map(files.map((file) => [file.replace(/\.tsx?$/, ""), readFileSync(`src/${file}`, "utf8")]));

const count = (source: string, what: RegExp) => [...source.matchAll(what)].length;
const calls = (source: string, hooks: string[]) => count(source, new RegExp(`\\b(${hooks.join("|")})\\(`, "g"));

/** The hooks that a file imports from modules that call useSubmit. */
const submitting = (file: string, source: string) =>
  [...source.matchAll(/import \{([^}]+)\} from "(@\/|\.\.?\/)([^"]+)"/g)].flatMap(([, names, from, path]) => {
    const module = from === "@/" ? String(path) : normalize(join(dirname(file), `${from}${path}`));
    return calls(sources.get(module) ?? "", ["useSubmit"]) > 0 ? (names?.match(/\buse[A-Z]\w*/g) ?? []) : [];
  });

/** Each form gets its onSubmit from useSubmit, itself or through such a hook, or passes on the one that it was given. */
const goesThrough = (file: string, source: string) =>
  count(source, /\bonSubmit=(?!\{onSubmit\})/g) <= calls(source, ["useSubmit", ...submitting(file, source)]) &&
  count(source, /<form\b(?! onSubmit=)/g) === 0;

/** Forms whose fields live elsewhere, and why. None is added: a new form goes through useSubmit. */
const others = {
  // Words and files are kept by the server while they are typed.
  "features/cases/disputes/parts/Told": "kept",
  "features/cases/disputes/parts/Replies": "kept",
  "features/cases/disputes/screens/NewDispute": "kept",
  // One choice changes the value of another field.
  "features/cases/support/bank/AnswerForm": "follows",
  "features/money/standingOrders/parts/NewStandingOrder": "follows",
  "features/money/payments/parts/PayForm": "follows",
  "features/ajo/pay/parts/PayForm": "follows",
  // No text is typed, or a file is chosen.
  "features/groups/documents/parts/AddDocument": "chosen",
  "features/people/profile/parts/Settings": "chosen",
  // It asks for one reason in the midst of a command, and its caller sends it.
  "ui/form/Reason": "asks",
};

it("every form goes through useSubmit", () => {
  const forms = [...sources].filter(([, source]) => /<form\b|onSubmit=/.test(source));
  expect(forms.length).toBeGreaterThan(50);
  const own = forms.filter(([file, source]) => !goesThrough(file, source)).map(([file]) => file);
  expect(own.sort()).toEqual(Object.keys(others).sort());
});

it("no form is handled beside it", () => {
  const handled = [...sources].filter(([, source]) => /handleSubmit\b/.test(source)).map(([file]) => file);
  expect(handled).toEqual(["store/useSubmit"]);
});
