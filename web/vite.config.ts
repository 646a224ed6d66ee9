import { defineConfig } from "vitest/config";

const TESTS = ["tests/**/*.test.{ts,tsx}"];
/** Tests that need a document: a jsdom takes a second to load, so they share one, and the other tests load none. */
const PAGE_TESTS = [
  "tests/**/*.test.tsx",
  "tests/app/{api,links,router}.test.ts",
  "tests/parts/{chart-spec,diff,markdown}.test.ts",
];
/** Leave a timer or a choice behind that other tests would see. */
const SESSION_TESTS = ["tests/chat/{model-choice,session,slash,waiting}.test.ts"];

/** The built page is committed: `pip install` needs no Node, and a rebuild must give the same bytes. */
export default defineConfig({
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/metier/server/ui",
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // One file for all that the first page needs: a browser loads six at a time, and in parts it waited three times.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8321", "/telemetry": "http://127.0.0.1:8321" } },
  test: {
    projects: [
      { extends: true, test: { name: "functions", isolate: false, include: TESTS, exclude: [...PAGE_TESTS, ...SESSION_TESTS] } },
      { extends: true, test: { name: "page", environment: "jsdom", isolate: false, include: PAGE_TESTS } },
      { extends: true, test: { name: "session", environment: "jsdom", include: SESSION_TESTS } },
    ],
  },
});
