import { afterEach, expect, test } from "vitest";
import { dayFormat, setLanguage, shownTime } from "../../src/app/language";

const AT = new Date(2026, 10, 6, 17, 5);
afterEach(() => setLanguage("zh"));

test("a date in English names its month, so that nobody reads the day for it", () => {
  setLanguage("en");
  expect(shownTime(AT)).toMatch(/^Nov 6, 2026,? .*5:05/);
  expect(shownTime(AT, { dateStyle: "short", timeStyle: "medium" })).toMatch(/^Nov 6, 2026/);
  expect(new Intl.DateTimeFormat("en", dayFormat()).format(AT)).toBe("Nov 6");
});

test("a date in Chinese has the year first", () => {
  setLanguage("zh");
  expect(shownTime(AT)).toBe("2026/11/6 17:05");
  expect(new Intl.DateTimeFormat("zh-CN", dayFormat()).format(AT)).toBe("11/6");
});
