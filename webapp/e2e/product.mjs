// Starts what the browser tests and the photographer need: the product, a browser, and a login into the demo.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const READY = /Adashi is ready at (http:\/\/\S+)/;
const DEMO_PASSWORD = /Demo logins \(password ([^)]+)\)/;
const DEMO_EMAIL = /(\S+@\S+)/;
const READY_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 15_000;
const BINARY = process.env.ADASHI_BIN ?? fileURLToPath(new URL("../../bin/adashi", import.meta.url));

/** Where the folders of makeTemplates are, and the product that spec files share: setup.ts sets both. */
export const TEMPLATES = "ADASHI_E2E_TEMPLATES";
export const SHARED = "ADASHI_E2E_SHARED";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/**
 * @typedef {{ email: string, password: string }} Login
 * @typedef {{ email: string, role: "Support" | "FinanceOps" | "Admin" }} Grant
 * @typedef {{ url: string, login: Login | undefined, grant: (grants: Grant[]) => Promise<void>, moveTo: (clock: string) => Promise<void>, verify: () => Promise<string>, stop: () => Promise<void> }} Product
 */

/** @param {import("node:child_process").ChildProcess} child */
function stopProcess(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve(undefined);
    const impatient = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    child.once("exit", () => {
      clearTimeout(impatient);
      resolve(undefined);
    });
    child.kill("SIGTERM");
  });
}

/** @returns {Login | undefined} */
function givenLogin() {
  const { ADASHI_EMAIL: email, ADASHI_PASSWORD: password } = process.env;
  return email && password ? { email, password } : undefined;
}

/**
 * Waits for the line that says where it is; on its way it notes the first demo login.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<{ url: string, login: Login | undefined }>}
 */
function whenReady(child) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("The product was not ready in time.")), READY_LIMIT_MS);
    child.once("exit", (code) => reject(new Error(`The product ended with ${code} before it was ready.`)));
    if (!child.stdout) throw new Error("The product has no standard output.");
    let password = "";
    let email = "";
    createInterface({ input: child.stdout }).on("line", (line) => {
      password ||= DEMO_PASSWORD.exec(line)?.[1] ?? "";
      if (password && !DEMO_PASSWORD.test(line)) email ||= DEMO_EMAIL.exec(line)?.[1] ?? "";
      const url = READY.exec(line)?.[1];
      if (!url) return;
      clearTimeout(late);
      resolve({ url: url.replace(/\/$/, ""), login: email && password ? { email, password } : undefined });
    });
  });
}

/** @param {string} data @param {string} port @param {string} clock @param {string[]} args */
async function run(data, port, clock, args) {
  const child = spawn(BINARY, args, {
    env: { ...process.env, ADASHI_DATA: data, ADASHI_PORT: port, ADASHI_SANDBOX_CLOCK: clock },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ready = await whenReady(child);
    child.once("exit", (code, signal) => {
      if (signal !== "SIGTERM" && code !== 0) console.error(`The product ended early: ${code ?? signal}.`);
    });
    return { child, ready };
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
}

/**
 * Makes data folders that every spec file begins with a copy of: to fill each of them takes seconds.
 * @param {string} folder
 */
export async function makeTemplates(folder) {
  const make = async (/** @type {string} */ name, /** @type {string[]} */ args) => {
    const data = join(folder, name);
    mkdirSync(data);
    const { child, ready } = await run(data, "0", "0s", args);
    await stopProcess(child);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(ready.login ?? null));
  };
  await Promise.all([make("empty", ["up"]), make("demo", ["up", "--demo"])]);
}

/**
 * Copies the template of a data folder, where there is one, and answers the demo's login.
 * @param {string} data @param {boolean} demo @param {string} clock
 * @returns {Promise<Login | undefined>}
 */
async function copyTemplate(data, demo, clock) {
  const templates = process.env[TEMPLATES];
  if (!templates || clock !== "0s") return undefined; // What they hold was recorded in the present.
  const template = join(templates, demo ? "demo" : "empty");
  await promisify(execFile)("cp", ["-a", `${template}/.`, data]); // It keeps whose the files are: Postgres asks for that.
  rmSync(join(data, "instance.json")); // Each copy is an instance of its own: two of one do not run beside each other.
  return JSON.parse(readFileSync(`${template}.json`, "utf8")) ?? undefined;
}

/**
 * The running product: the one at ADASHI_URL (logins in ADASHI_EMAIL and ADASHI_PASSWORD), or one of our own in a
 * folder and on a free port of its own. `clock` is how far from the present it lives, such as -2160h; `moveTo` moves
 * it. A `shared` one serves several spec files at once: each has people and groups of its own there, and none stops it.
 * @param {{ demo?: boolean, clock?: string, shared?: boolean }} [options]
 * @returns {Promise<Product>}
 */
export async function startProduct({ demo = false, clock = "0s", shared = false } = {}) {
  const given = process.env.ADASHI_URL ?? (shared ? process.env[SHARED] : undefined);
  if (given) {
    const grant = async () => Promise.reject(new Error("Roles are granted where the data is, not through ADASHI_URL."));
    const moveTo = async () => Promise.reject(new Error("That is done where the product is started."));
    return { url: given.replace(/\/$/, ""), login: givenLogin(), grant, moveTo, verify: moveTo, stop: async () => {} };
  }
  if (!existsSync(BINARY)) throw new Error(`There is no ${BINARY}: build it with ./scripts/up or set ADASHI_URL.`);
  const data = mkdtempSync(join(tmpdir(), "adashi-e2e-"));
  const clear = () => rmSync(data, { recursive: true, force: true });
  const begin = async () => {
    const copied = await copyTemplate(data, demo, clock);
    return { copied, ...(await run(data, "0", clock, demo ? ["up", "--demo"] : ["up"])) };
  };
  let { child, ready, copied } = await begin().catch((error) => {
    clear();
    throw error;
  });
  const { url, login = copied } = ready;
  const again = async () => {
    ({ child, ready } = await run(data, new URL(url).port, clock, ["up"]));
  };
  return {
    url,
    login,
    // A role is granted by the command alone, and that needs the private database to itself.
    grant: async (grants) => {
      await stopProcess(child);
      for (const { email, role } of grants) {
        await promisify(execFile)(BINARY, ["role", "grant", email, role], {
          env: { ...process.env, ADASHI_DATA: data },
        });
      }
      await again();
    },
    moveTo: async (to) => {
      await stopProcess(child);
      clock = to;
      await again();
    },
    // The product is stopped for it: then the stream is looked at too.
    verify: async () => {
      await stopProcess(child);
      const { stdout } = await promisify(execFile)(BINARY, ["ledger", "verify"], {
        env: { ...process.env, ADASHI_DATA: data },
      }).catch(({ message, stdout }) => Promise.reject(new Error(`${message}\n${stdout}`)));
      return stdout;
    },
    stop: async () => {
      await stopProcess(child);
      clear();
    },
  };
}

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
