// Runs `go test -json` with our arguments: prints each package as it ends, what failed tests said, and at the end which
// tests took longest.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const SLOWEST = 10;
const child = spawn("go", ["test", "-json", ...process.argv.slice(2)], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => child.once("close", resolve));
const said = new Map(); // By package, and then by test: what has been said and not printed yet.
const took = [];

function print(all, test) {
  const text = all.get(test) ?? "";
  process.stdout.write(text.replaceAll(/^(=== .*|PASS)\n/gm, ""));
  all.delete(test);
}

for await (const line of createInterface({ input: child.stdout })) {
  if (!line.startsWith("{")) {
    console.log(line);
    continue;
  }
  const { Action, Package, Test = "", Output = "", Elapsed = 0 } = JSON.parse(line);
  if (Action === "build-output") process.stdout.write(Output);
  if (!Package) continue;
  if (!said.has(Package)) said.set(Package, new Map());
  const all = said.get(Package);
  if (Action === "output") all.set(Test, (all.get(Test) ?? "") + Output);
  if (!["pass", "fail", "skip"].includes(Action)) continue;
  if (Action === "fail") for (const test of Test ? [Test] : [...all.keys()]) print(all, test);
  if (!Test) print(all, Test);
  all.delete(Test);
  if (Test && !Test.includes("/")) took.push({ Elapsed, name: `${Package.replace("adashi.ng/", "")} ${Test}` });
}
const code = await ended;
console.log("The slowest tests:");
for (const { Elapsed, name } of took.sort((a, b) => b.Elapsed - a.Elapsed).slice(0, SLOWEST)) {
  console.log(`${Elapsed.toFixed(1).padStart(7)} s  ${name}`);
}
process.exitCode = code ?? 1;
