import { beforeEach, expect, test } from "vitest";
import { setLanguage } from "../../src/app/language";
import { describeValue, listRows, nameOfPath } from "../../src/app/profile-dialog";
import { choicesOf } from "../../src/words/profile-names";

beforeEach(() => setLanguage("zh"));

test("a profile is listed by path, without what the server counts", () => {
  const rows = listRows({
    user: "ann",
    profile: { birth_info: { date: "1990-06-15", time: "14:30" }, extracted: [{ text: "my words" }] },
    skill_data: { tarot: { version: 2, data: { draws: { x: 1 } } }, bazi: { version: 1, data: { _computed_from: "ab" } }, _trials: { version: 1, data: { tarot: 1 } } },
    facts: [],
  });
  expect(rows.map((row) => row.path)).toEqual(["birth_info.date", "birth_info.time", "extracted", "skill_data.tarot.draws"]);
});

test("a person reads names and sentences, no variable names and no JSON", () => {
  const goal = { goal: "读书", cadence: "daily", step: "读两页" };
  const words = [{ text: "读两页", source: { conversation: "d181ef", turn: "68ba", at: "2026-11-17T20:38:46+00:00" } }];
  expect(nameOfPath("birth_info.calendar", {})).toBe("出生信息 · 历法");
  expect(nameOfPath("skill_data.bazi.chart", { bazi: "八字" })).toBe("八字 · 命盘");
  expect(describeValue(goal, "goal")).toEqual(["目标: 读书", "频率: 每天", "最小的一步: 读两页"]);
  expect(describeValue(words, "extracted")).toEqual(["内容: 读两页"]);
  expect(describeValue({ r1: 5, i1: 2 }, "answers")).toEqual(["已回答 2 题"]);
  expect(choicesOf("sex").map(([, label]) => label)).toEqual(["男", "女", "不填"]);
  setLanguage("en");
  expect(nameOfPath("life_context.goal", {})).toBe("Life and goals · Goal");
  expect(describeValue({ signs: { sun: "gemini" }, houses: "placidus" }, "chart")).toEqual(["Signs: Sun: Gemini", "Houses: Placidus"]);
});
