import { describe, expect, test } from "vitest";
import { language } from "../src/app/language";
import { wording } from "../src/words";

const FILES = import.meta.glob<string>(["../src/words/*.ts", "!../src/words/index.ts"], { query: "?raw", import: "default", eager: true });
const ENTRY = /(\w+): \[\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",?\s*\]/g;
const HOLES = /\{\w+\}/g;

describe.each(Object.entries(FILES))("%s", (_, source) => {
  const entries = [...source.matchAll(ENTRY)].map(([, key, zh, en]) => ({ key, zh: zh ?? "", en: en ?? "" }));

  test("has sentences", () => {
    expect(entries.length).toBeGreaterThan(0);
  });

  test("has no back-ticks, which would be shown as they are", () => {
    expect(entries.filter((one) => /`/.test(one.zh + one.en)).map((one) => one.key)).toEqual([]);
  });

  test("leaves the same places open in both languages", () => {
    const holes = (text: string): string[] => (text.match(HOLES) ?? []).sort();
    expect(entries.filter((one) => String(holes(one.zh)) !== String(holes(one.en)))).toEqual([]);
  });

  test("says something in both languages, or in neither", () => {
    expect(entries.filter((one) => (one.zh.trim() === "") !== (one.en.trim() === ""))).toEqual([]);
  });
});

test("English sentences have no Chinese, and Chinese ones are Chinese", () => {
  const han = /[\u3400-\u9fff]/;
  const bare = /[A-Za-z]{2,}/g;
  // Names and units that are the same in both languages.
  const names = /\b(Metier|JSON|Markdown|Enter|Shift|ZIP|ID|API|URL|[Tt]oken|P95|METIER_\w+|Ctrl|MCP|CSV|SOP|SVG|PNG|UTC)\b/g;
  const entries = Object.values(FILES).flatMap((source) => [...source.matchAll(ENTRY)].map(([, key, zh, en]) => ({ key, zh: zh ?? "", en: en ?? "" })));
  const english = entries.filter(({ en }) => han.test(en));
  const chinese = entries.filter(({ zh }) => !han.test(zh) && (zh.replace(names, "").replace(/\{\w+\}/g, "").match(bare) ?? []).length > 0);
  expect({ english, chinese }).toEqual({ english: [], chinese: [] });
});

test("one thing is counted as one in English", () => {
  const say = wording({ rows: ["共 {count} 行", "Shown: {count} rows"], left: ["{count} 个文件", "{count} open questions"], other: ["{count} 个", "{count} of {all} changes"] });
  language.value = "en";
  expect([say("rows", { count: 1 }), say("rows", { count: 2 }), say("left", { count: 1 }), say("other", { count: 1, all: 3 })]).toEqual(["Shown: 1 row", "Shown: 2 rows", "1 open question", "1 of 3 changes"]);
});
