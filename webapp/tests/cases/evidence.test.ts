import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The pages that the ledger's own verifier is held to: services/internal/evidence/changed_test.go. */
const folder = "../services/internal/evidence/testdata/v4";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Verifier = { readBundle: (text: string) => Json; check: (bundle: Json) => Promise<unknown> };

/** A page's own script, without the call that shows the page, and what the page carries. */
function opened(kind: string): { verifier: Verifier; raw: string } {
  const page = readFileSync(`${folder}/${kind}.html`, "utf8");
  const raw = /<script type="application\/json" id="evidence">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
  const script = /<script>("use strict".*)main\(\);\n<\/script>/s.exec(page)?.[1] ?? "";
  const run = new Function(`${script}; return { readBundle, check };`) as () => Verifier;
  return { verifier: run(), raw };
}

/** As Go writes JSON. */
const written = (value: Json): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

type Set = (value: Json) => void;
type Try = (how: string) => Promise<void>;

async function ofText(text: string, set: Set, attempt: Try): Promise<void> {
  const others = new Map([
    ["empty", ""],
    ["longer", `${text}x`],
    ["of another first letter", `A${text.slice(1)}`],
    ["of another last letter", `${text.slice(0, -1)}B`],
  ]);
  const at = text.indexOf("=") - 1;
  if (at > 0 && text.endsWith("="))
    others.set(
      "in other base64",
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) + 1) + text.slice(at + 1),
    );
  for (const [how, other] of others) {
    if (other === text) continue;
    set(other);
    await attempt(how);
  }
  set(text);
}

async function ofList(list: Json[], path: string, set: Set, attempt: (path: string) => Promise<void>): Promise<void> {
  for (const [at, is] of list.entries()) {
    const put: Set = (other) => {
      list[at] = other;
    };
    await ofValue(is, `${path}[${at}]`, put, attempt);
    set(list.toSpliced(at, 1));
    await attempt(`${path} without element ${at}`);
    set(list.toSpliced(at, 0, is));
    await attempt(`${path} with element ${at} twice`);
    const before = list[at - 1];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(is)) {
      set(list.toSpliced(at - 1, 2, is, before));
      await attempt(`${path} with element ${at} before the one before`);
    }
    set(list);
  }
}

async function ofFields(
  fields: { [key: string]: Json },
  path: string,
  set: Set,
  attempt: (path: string) => Promise<void>,
): Promise<void> {
  for (const [key, is] of Object.entries(fields)) {
    const put: Set = (other) => {
      fields[key] = other;
    };
    await ofValue(is, `${path}.${key}`, put, attempt);
    set(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key)));
    await attempt(`${path}.${key} removed`);
    set(fields);
  }
}

/** Tries a document with each of its values changed, one at a time: the changes are those of the test in Go. */
async function ofValue(value: Json, path: string, set: Set, attempt: (path: string) => Promise<void>): Promise<void> {
  const tries = async (others: Json[]) => {
    for (const other of others) {
      set(other);
      await attempt(`${path} is ${JSON.stringify(other)}`);
    }
    set(value);
  };
  if (Array.isArray(value)) return ofList(value, path, set, attempt);
  if (typeof value === "string") return ofText(value, set, (how) => attempt(`${path} ${how}`));
  if (typeof value === "number") return tries([value - 1, value + 1, ...(value === 0 ? [] : [0])]);
  if (typeof value === "boolean") return tries([!value]);
  if (value !== null) return ofFields(value, path, set, attempt);
}

/** What the page lists among what it does not prove: a witness that was left out, and where an old hidden event is. */
const isSaid = (kind: string, path: string) =>
  path.startsWith(".seen.witnesses without element") ||
  (kind === "unsalted" && /^\.hidden\[\d+\]\.position/.test(path));

describe("the page of a dispute's evidence", () => {
  const kinds = readdirSync(folder).map((name) => name.replace(".html", ""));

  it.each(kinds)("verifies as it is, and with no change: %s", { timeout: 120_000 }, async (kind) => {
    const { verifier, raw } = opened(kind);
    const verifies = async (text: string): Promise<boolean> => {
      try {
        await verifier.check(verifier.readBundle(text));
        return true;
      } catch {
        return false;
      }
    };
    expect(await verifies(raw)).toBe(true);
    const whole = JSON.parse(raw) as { [key: string]: Json };
    expect(written(whole)).toBe(raw);
    let tried = 0;
    const verify: string[] = [];
    const attempt = async (path: string) => {
      tried += 1;
      if (!isSaid(kind, path) && (await verifies(written(whole)))) verify.push(path);
    };
    for (const [key, is] of Object.entries(whole)) {
      const put: Set = (other) => {
        whole[key] = other;
      };
      await ofValue(is, `.${key}`, put, attempt);
    }
    expect(verify).toEqual([]);
    expect(tried).toBeGreaterThan(300);
  });
});
