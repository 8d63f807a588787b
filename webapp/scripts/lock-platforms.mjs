// Run after `npm install` has changed package-lock.json. A registry mirror may lack the binaries of other platforms;
// npm then leaves them out of the lock file, and `npm ci` refuses a lock file without them. This writes them back in
// by name and version; a machine of that platform fetches them, every other one passes them over.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const { packages } = lock;

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "x64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32"];

/** The machine a package is for, read from its name: "binding-linux-arm64-musl". */
function platform(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const libc = ["gnu", "musl"].find((kind) => words.some((word) => word.startsWith(kind)));
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === "linux" && libc ? { libc: [libc === "gnu" ? "glibc" : "musl"] } : {}),
  };
}

let added = 0;
for (const owner of Object.values(packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    const { os, cpu, libc } = platform(name);
    if (packages[place] || !(os || cpu) || !/^\d/.test(version)) continue;
    packages[place] = {
      version,
      ...(cpu && { cpu }),
      ...(owner.dev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      ...(os && { os }),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms written into the lock file`);
