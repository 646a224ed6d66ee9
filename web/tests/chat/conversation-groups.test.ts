import { beforeEach, expect, test } from "vitest";
import { language } from "../../src/app/language";
import { grouped, shortTime } from "../../src/chat/conversation-groups";
import type { Listed } from "../../src/chat/conversations";

const NOW = new Date(2026, 2, 11, 9, 30);
const row = (id: string, ...day: [number, number, number]): Listed => ({ id, title: id, skill: null, model: null, updated_at: new Date(...day, 8, 5).toISOString() });

beforeEach(() => {
  language.value = "en";
});

test("the list is grouped by day, the pinned ones first and once", () => {
  const rows = [row("a", 2026, 2, 11), row("b", 2026, 2, 10), row("c", 2026, 2, 6), row("d", 2026, 1, 20), row("e", 2026, 1, 1), row("f", 2025, 11, 1)];
  const groups = grouped(rows, [row("c", 2026, 2, 6)], NOW);
  expect(groups.map((one) => [one.key, one.label, one.rows.map((each) => each.id)])).toEqual([
    ["pinned", "", ["c"]],
    ["today", "", ["a"]],
    ["yesterday", "", ["b"]],
    ["month", "February 2026", ["d", "e"]],
    ["month", "December 2025", ["f"]],
  ]);
});

test("a row says when it was used in as few letters as possible, in the reader's language", () => {
  const at = (day: [number, number, number]): string => shortTime(row("x", ...day).updated_at, NOW);
  expect([at([2026, 2, 11]), at([2026, 2, 9]), at([2026, 1, 20])]).toEqual(["08:05", "Mon", "Feb 20"]);
  language.value = "zh";
  expect([at([2026, 2, 11]), at([2026, 2, 9]), at([2026, 1, 20])]).toEqual(["08:05", "周一", "2/20"]);
});
