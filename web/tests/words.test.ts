import { describe, expect, test } from "vitest";

const FILES = import.meta.glob<string>(["../src/words/*.ts", "!../src/words/index.ts"], { query: "?raw", import: "default", eager: true });
const ENTRY = /(\w+): \[\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",?\s*\]/g;
const HOLES = /\{\w+\}/g;

describe.each(Object.entries(FILES))("%s", (_, source) => {
  const entries = [...source.matchAll(ENTRY)].map(([, key, zh, en]) => ({ key, zh: zh ?? "", en: en ?? "" }));

  test("has sentences", () => {
    expect(entries.length).toBeGreaterThan(0);
  });

  test("leaves the same places open in both languages", () => {
    const holes = (text: string): string[] => (text.match(HOLES) ?? []).sort();
    expect(entries.filter((one) => String(holes(one.zh)) !== String(holes(one.en)))).toEqual([]);
  });

  test("says something in both languages, or in neither", () => {
    expect(entries.filter((one) => (one.zh.trim() === "") !== (one.en.trim() === ""))).toEqual([]);
  });
});
