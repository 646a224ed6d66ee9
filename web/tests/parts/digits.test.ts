import { expect, test } from "vitest";
import { decimalsOf, shownDigits } from "../../src/parts/digits";
import { visibleJson, visibleText } from "../../src/parts/visible";

test("numbers of a column have the same digits", () => {
  const column = [47, 41.0, 45.25, null];
  expect(decimalsOf(column)).toBe(2);
  expect([47, 45.25].map((value) => shownDigits(value, 2))).toEqual(["47.00", "45.25"]);
  expect(decimalsOf([1, 2, null])).toBe(0);
  expect(shownDigits(4e-8, 6)).toBe("4e-8");
});

test("characters that nobody sees are written out", () => {
  expect(visibleText("a\u200bb\u202e\u00a0c 小区\t\n好\u3164")).toBe("a<U+200B>b<U+202E><U+00A0>c 小区\t\n好<U+3164>");
  expect(visibleJson({ to: ["x\ufeff", 1, null] })).toEqual({ to: ["x<U+FEFF>", 1, null] });
});
