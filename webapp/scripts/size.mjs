// Checks what a browser must fetch: first load ≤ 180 KB gzip of script, each part fetched later ≤ 60 KB more.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_LOAD_MAX = 180 * 1024;
const LATER_MAX = 60 * 1024;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const weights = new Map();
function weigh(file) {
  if (!weights.has(file)) weights.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return weights.get(file);
}

function closure(name, found = new Set()) {
  const chunk = manifest[name];
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const next of chunk.imports ?? []) closure(next, found);
  return found;
}

const sum = (files) => [...files].reduce((total, file) => total + weigh(file), 0);
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const entry = Object.keys(manifest).find((name) => manifest[name].isEntry);
const first = closure(entry);
const firstSize = sum(first);
let failed = firstSize > FIRST_LOAD_MAX;
console.log(`first load  ${kb(firstSize)} gzip in ${first.size} files (at most ${kb(FIRST_LOAD_MAX)})`);

const later = Object.keys(manifest)
  .filter((name) => manifest[name].isDynamicEntry)
  .map((name) => {
    const more = [...closure(name)].filter((file) => !first.has(file));
    return { name, size: sum(more), files: more.length };
  })
  .sort((one, other) => other.size - one.size);
for (const { name, size, files } of later) {
  if (size > LATER_MAX) failed = true;
  console.log(`  + ${kb(size).padStart(8)} in ${String(files).padStart(2)} files  ${name.replace("src/", "")}`);
}
if (failed) {
  console.error(`Too large: a later part may add ${kb(LATER_MAX)} at most.`);
  process.exit(1);
}
