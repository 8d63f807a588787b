import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { groups } from "./chunks";

const backEnd = "http://127.0.0.1:8080";
const src = fileURLToPath(new URL("./src", import.meta.url));

/** What takes longest begins first, on a machine that has not seen the tests before too. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const long = (file: TestSpecification) => file.moduleId.endsWith("/axe.spec.ts");
    return [...sorted.filter(long), ...sorted.filter((file) => !long(file))];
  }
}

/** A project of browser tests; one of a lower order is over before the next begins. */
const e2e = (name: string, groupOrder: number, test: TestProjectInlineConfiguration["test"]) => ({
  test: {
    name,
    environment: "node" as const,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // As long as a locator is waited for: two files and their products share the machine.
    expect: { poll: { timeout: 15_000 } },
    sequence: { groupOrder },
    ...test,
  },
});

/** The HTTP contract and what shows it at /docs, out of npm packages and the repository: nothing comes from elsewhere. */
const contract: Plugin = {
  name: "contract",
  apply: "build",
  generateBundle() {
    const files = {
      "openapi.yaml": "../proto/http/openapi.yaml",
      "swagger-ui.css": "./node_modules/swagger-ui-dist/swagger-ui.css",
      "swagger-ui-bundle.js": "./node_modules/swagger-ui-dist/swagger-ui-bundle.js",
    };
    for (const [name, from] of Object.entries(files)) {
      this.emitFile({ type: "asset", fileName: `docs/${name}`, source: readFileSync(new URL(from, import.meta.url)) });
    }
  },
};

/** Has the letters fetched with the page: text that changes its letters later moves what is under it. */
const letters: Plugin = {
  name: "letters",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => name.endsWith(".woff2"))
        .map((name) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${name}`, crossorigin: true },
          injectTo: "head",
        })),
  },
};

/** Screens that no member needs without a network: of our staff, of the public, and what checks a witness. */
const NOT_OFFLINE =
  /features\/(money\/finance|cases\/(support|corrections)|trust\/(operator|auditDesk|witness)|people\/(landing|pages))\//;

/**
 * Writes the service worker with the names of the files that it keeps: at once what the first screen needs, later the
 * members' other screens. It has no package to do this: the one for Vite would bring 180 others.
 */
const worker: Plugin = {
  name: "worker",
  apply: "build",
  enforce: "post",
  generateBundle(_options, bundle) {
    const filesOf = (name: string, found = new Set<string>()) => {
      const chunk = bundle[name];
      if (chunk?.type !== "chunk" || found.has(name)) return found;
      found.add(name);
      for (const next of chunk.imports) filesOf(next, found);
      return found;
    };
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
    const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...filesOf(fileName)]));
    const screens = chunks.filter((one) => one.isDynamicEntry && !NOT_OFFLINE.test(one.facadeModuleId ?? ""));
    const rest = new Set(screens.flatMap(({ fileName }) => [...filesOf(fileName)]).filter((name) => !first.has(name)));
    const others = Object.keys(bundle).filter((name) => /\.(css|woff2)$/.test(name) && name.startsWith("assets/"));
    const index = bundle["index.html"];
    const version = createHash("sha256")
      .update(index?.type === "asset" ? index.source : "")
      .digest("hex")
      .slice(0, 12);
    const asPaths = (names: Iterable<string>) => [...names].map((name) => `/${name}`);
    const shell = asPaths(["index.html", "favicon.svg", ...first, ...others]);
    const files = JSON.stringify({ version, shell, later: asPaths(rest) });
    const source = readFileSync(`${src}/sw.js`, "utf8").replace("= FILES;", `= ${files};`);
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

export default defineConfig({
  plugins: [react(), contract, letters, worker],
  resolve: { alias: { "@": src } },
  // No asset becomes a data: URI, so that the content policy can stay at 'self'.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
      },
    },
  },
  server: { proxy: { "/api": backEnd, "/dev": backEnd, "/sandbox": backEnd } },
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "jsdom",
          include: ["tests/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/kit/setup.ts"],
          maxWorkers: 2,
          // To load Chakra again for each file would take longer than the tests: kit/setup.ts resets their shared state.
          isolate: false,
          // On a machine that does much else at once, a test of two seconds took 43.
          testTimeout: 60_000,
        },
      },
      // The story holds live updates to a time, so it has the machine to itself; the others share it, two at a time.
      e2e("e2e-story", 1, { include: ["e2e/story.spec.ts"], globalSetup: ["e2e/setup.ts"] }),
      e2e("e2e", 2, { include: ["e2e/**/*.spec.ts"], exclude: ["e2e/story.spec.ts"], maxWorkers: 2 }),
    ],
  },
});
