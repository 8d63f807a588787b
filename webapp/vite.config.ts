import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backEnd = "http://127.0.0.1:8080";
const src = fileURLToPath(new URL("./src", import.meta.url));

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": src } },
  // No asset becomes a data: URI, so that the content policy can stay at 'self'.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files rather than many tiny ones: a screen then costs two or three requests on a slow line.
        codeSplitting: {
          groups: [
            // The words of most screens; those of the rarer ones travel with them.
            { name: "words", test: /src\/lib\/texts\/(?!profile|security|pages|guardian|rails|records|finance|dues|liquidations|audit)/ },
            {
              name: "ui",
              test: /src\/(theme|lib\/(?!texts|files)|ui\/(?!overlays|Tip|toaster|Combobox|FilePicker|Meter|CardChoice|Payment|ChargeReview|OutcomeNote|Confirm|Story))/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": backEnd, "/dev": backEnd, "/sandbox": backEnd } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "jsdom",
          include: ["tests/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          include: ["e2e/**/*.spec.ts"],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
