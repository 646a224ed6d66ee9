import { describe, expect, it } from "vitest";
import { type ChangedPiece, changedWords } from "../../src/parts/word-changes";

const marked = (pieces: readonly ChangedPiece[] | undefined): string => (pieces ?? []).map((one) => (one.changed ? `[${one.text}]` : one.text)).join("");

describe("where two texts differ", () => {
  it.each([
    ["The racks are late by three weeks.", "The racks are late by four weeks.", "The racks are late by [three] weeks.", "The racks are late by [four] weeks."],
    ["货架安装延期三周，切换延期一周。", "货架安装延期四周，切换延期一周。", "货架安装延期[三]周，切换延期一周。", "货架安装延期[四]周，切换延期一周。"],
    ["Paid within 30 days", "Paid within 45 working days", "Paid within [30] days", "Paid within [45 working] days"],
    ["Due 2026-03-12, EUR 1,240.50", "Due 2026-03-13, EUR 1,240.50", "Due [2026-03-12], EUR 1,240.50", "Due [2026-03-13], EUR 1,240.50"],
    ["one two three four", "one three four five", "one [two ]three four", "one three four[ five]"],
  ])("marks the words of %j and %j", (before, after, old, made) => {
    const found = changedWords(before, after);
    expect([marked(found?.before), marked(found?.after)]).toEqual([old, made]);
  });

  it("says nothing where hardly a word is the same", () => {
    expect(changedWords("Budget", "Costs of the year")).toBeNull();
    expect(changedWords("4", "2")).toBeNull();
  });

  it("gives both texts back whole, however long", () => {
    const [before, after] = ["a b c ".repeat(2000), "x a b d ".repeat(2000)];
    const found = changedWords(before, `${before}${after}`);
    expect(found?.before.map((one) => one.text).join("")).toBe(before);
    expect(found?.after.map((one) => one.text).join("")).toBe(`${before}${after}`);
  });
});
