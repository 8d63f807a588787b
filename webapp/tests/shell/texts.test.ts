import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { texts } from "@/texts";

/** Every sentence with the place it stands at. */
function sentences(value: unknown, at: string): [string, string][] {
  if (typeof value === "string") return [[at, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => sentences(inner, `${at}.${name}`));
}

it("the catalogue has every file of texts", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\btexts(\/\w+)?\.ts$/.test(file),
  );
  const named = readFileSync("src/texts.ts", "utf8");
  const missing = files.filter((file) => file !== "texts.ts" && !named.includes(`"./${file.replace(/\.ts$/, "")}"`));
  expect(missing).toEqual([]);
});

it("no text has a space too many", () => {
  const wrong = sentences(texts, "texts").filter(([, text]) => text !== text.trim() || /\S {2,}\S/.test(text));
  expect(wrong).toEqual([]);
});
