import { expect, test } from "vitest";
import { cellLook } from "../../src/parts/cell-look";

test.each([
  ["2026-03-13", "short"],
  ["1,234,567.89", "short"],
  ["460-00-100034", "short"],
  ["写入或更新一块内容", "short"],
  ["上线前安排渗透测试，3月16日前发给大家看，由陈静负责", "long"],
  ["The portal goes live on 20 March after a test", "long"],
  ["一\n二", "long"],
])("%s stays on its line or wraps between words: %s", (words, look) => {
  expect(cellLook(words)).toBe(look);
});
