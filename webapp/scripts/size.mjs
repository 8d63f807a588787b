// Checks what a browser must fetch: what every screen loads ≤ 180 KB gzip of script, each later part ≤ 60 KB more, and a
// screen, with what it opens at once, ≤ 8 files.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_LOAD_MAX = 180 * 1024;
const LATER_MAX = 60 * 1024;
const FILES_MAX = 8;

/** Files that are fetched as soon as a screen is there, by their name in chunks.ts: on every screen, and on one. */
const AT_ONCE = ["overlays"];
const AT_ONCE_ON = { GroupPage: ["proof"] };

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const names = Object.keys(manifest);

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

const together = (sets) => new Set(sets.flatMap((files) => [...files]));
const sum = (files) => [...files].reduce((total, file) => total + weigh(file), 0);
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

const entry = names.find((name) => manifest[name].isEntry);
const dynamic = names.filter((name) => manifest[name].isDynamicEntry);
const screens = dynamic.filter((name) => /\/screens\/\w+\.tsx$/.test(name));
const [one = new Set(), ...others] = screens.map((name) => closure(name));
const everywhere = [...one].filter((file) => others.every((files) => files.has(file)));
const first = together([closure(entry), everywhere]);

/** The number of files that a screen loads with what it opens at once. */
function filesOf(screen) {
  const [, title] = /(\w+)\.tsx$/.exec(screen);
  const opened = [...AT_ONCE, ...(AT_ONCE_ON[title] ?? [])].map((wanted) => {
    const name = names.find((known) => manifest[known].name === wanted);
    if (!name) throw new Error(`No file has the name ${wanted}: see chunks.ts.`);
    return closure(name);
  });
  return together([first, closure(screen), ...opened]).size;
}

const faults = [];
const firstSize = sum(first);
console.log(`first load  ${kb(firstSize)} gzip in ${first.size} files (at most ${kb(FIRST_LOAD_MAX)})`);
if (firstSize > FIRST_LOAD_MAX) faults.push(`The first load may have ${kb(FIRST_LOAD_MAX)} at most.`);

const later = dynamic
  .map((name) => ({ name, size: sum([...closure(name)].filter((file) => !first.has(file))) }))
  .sort((one, other) => other.size - one.size);
for (const { name, size } of later) {
  const files = screens.includes(name) ? filesOf(name) : 0;
  console.log(`  + ${kb(size).padStart(8)}  ${files ? `${files} files` : "       "}  ${name.replace("src/", "")}`);
  if (size > LATER_MAX) faults.push(`${name} adds ${kb(size)}: ${kb(LATER_MAX)} at most.`);
  if (files > FILES_MAX) faults.push(`${name} loads ${files} files: ${FILES_MAX} at most.`);
}
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
