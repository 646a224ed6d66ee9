import { defineConfig } from "vitest/config";

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
  },
  server: { proxy: { "/api": "http://127.0.0.1:8321", "/telemetry": "http://127.0.0.1:8321" } },
  test: { environment: "jsdom", include: ["tests/**/*.test.{ts,tsx}"] },
});
