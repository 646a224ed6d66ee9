import { expect, test } from "vitest";
import { csvOf } from "../../src/parts/csv";
import { sortedRows } from "../../src/parts/data-table";
import type { Column, Json } from "../../src/generated/api";

const column = (key: string, type: Column["type"] = "text", unit = ""): Column => ({ key, title: key, type, unit });

test.each<[string, Json, string]>([
  ["a plain text", "朝阳", "朝阳"],
  ["a comma", "a,b", '"a,b"'],
  ["quotes", 'say "hi"', '"say ""hi"""'],
  ["a line break", "a\nb", '"a\nb"'],
  ["a formula", "=1+1", "'=1+1"],
  ["a plus", "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["a minus", "-2+3", "'-2+3"],
  ["an at sign", "@SUM(A1)", "'@SUM(A1)"],
  ["a tab", "\t=1", "'\t=1"],
  ["a full-width formula", "＝1+1", "'＝1+1"],
  ["a formula with a comma", "=HYPERLINK(1,2)", '"\'=HYPERLINK(1,2)"'],
  ["a negative number", -105.5, "-105.5"],
  ["nothing", null, ""],
  ["an object", { a: 1 }, '"{""a"":1}"'],
])("%s", (_, value, expected) => {
  expect(csvOf([column("x")], [[value]])).toBe(`\ufeffx\r\n${expected}\r\n`);
});

test("the head has units and is guarded too", () => {
  expect(csvOf([column("RSRP", "number", "dBm"), column("=x")], [])).toBe("\ufeffRSRP (dBm),'=x\r\n");
});

test("rows sort as numbers, with empty cells last either way", () => {
  const rows: Json[][] = [[10], [null], [9], [-1]];
  const sorted = (down: boolean): Json[] => sortedRows(rows, [column("x", "number")], { at: 0, down }).map((row) => row[0] ?? null);
  expect(sorted(false)).toEqual([-1, 9, 10, null]);
  expect(sorted(true)).toEqual([10, 9, -1, null]);
});
