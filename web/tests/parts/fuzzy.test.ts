import { expect, test } from "vitest";
import { found, fuzzy } from "../../src/parts/fuzzy";
import { slashWord } from "../../src/chat/skill-menu";

const SKILLS = ["weekly-report", "meeting-minutes", "network_optimization", "覆盖专项分析"];

test.each([
  ["wr", "weekly-report"],
  ["report", "weekly-report"],
  ["mm", "meeting-minutes"],
  ["netopt", "network_optimization"],
  ["覆盖", "覆盖专项分析"],
  ["覆析", "覆盖专项分析"],
  ["WEEK", "weekly-report"],
])("%s finds %s first", (letters, expected) => {
  expect(found(letters, SKILLS, (skill) => [skill])[0]?.thing).toBe(expected);
});

test("letters that are not there find nothing", () => {
  expect(found("xyz", SKILLS, (skill) => [skill])).toEqual([]);
});

test("no letters find everything", () => {
  expect(found("", SKILLS, (skill) => [skill])).toHaveLength(SKILLS.length);
});

test("the letters that hit are told", () => {
  expect(fuzzy("wr", "weekly-report")?.hits).toEqual([0, 7]);
  expect(fuzzy("盖专", "覆盖专项")?.hits).toEqual([1, 2]);
});

test.each([
  ["/", ""],
  ["/we", "we"],
  ["／周", "周"],
  ["/weekly-report 写", null],
  ["a/b", null],
  ["", null],
])("the word after the slash of %j is %j", (text, expected) => {
  expect(slashWord(text)).toBe(expected);
});
