import { describe, expect, test } from "vitest";
import { areFigures, figureColumns, isFigure } from "../../src/parts/figures";

describe("a number as people write it is a figure", () => {
  test.each(["12", "-104.9", "−3.8", "+0.2 dB", "97.9 %", "30%", "1,335,736.95", "¥1,200.00", "$5", "(120)", "1.5e-7", "32.7 Mbps", "+1.7 pp", "-0.1 个百分点", "12 元", "3万元", "5 天", "7.1 mm/s", "2025"])("%s", (text) => {
    expect(isFigure(text)).toBe(true);
  });

  test.each(["", "–", "第 4 段", "460-00-100031", "2026-03-13", "001", "January!E5", "4G", "5 of 6 cells", "3 个问题", "A1", "PV-003", "1.2.3", "20%以内"])("%s is none", (text) => {
    expect(isFigure(text)).toBe(false);
  });
});

test("cells that say nothing do not keep a column of numbers from its end", () => {
  expect(areFigures(["–", "2025-01-01", "1", "239.59", ""])).toBe(true);
  expect(areFigures(["1", "two"])).toBe(false);
  expect(areFigures(["–", "", "2025-01-01"])).toBe(false);
});

test("the first row may be the names of the columns", () => {
  expect(figureColumns([["月份", "数量", "备注"], ["一月", "12", "3"], ["合计", "=SUM(B2:B2)", "见附件"]])).toEqual([false, true, false]);
  expect(figureColumns([["一月", "12"]])).toEqual([false, true]);
  expect(figureColumns([])).toEqual([]);
});
