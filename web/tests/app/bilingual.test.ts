import { afterEach, expect, test } from "vitest";

import { skillDescription, skillTitle, spoken } from "../../src/app/bilingual";
import { language } from "../../src/app/language";
import { skillOf } from "../../src/console/skill-model";

const started = language.value;
afterEach(() => {
  language.value = started;
});

test("a skill is named and described in the reader's language alone, in the console too", () => {
  const skill = { id: "s", title: "覆盖", description: "看覆盖。 Coverage.", titles: { zh: "覆盖", en: "Coverage" }, descriptions: { zh: "看覆盖。", en: "Looks at coverage." } };
  for (const [chosen, title, description] of [["en", "Coverage", "Looks at coverage."], ["zh", "覆盖", "看覆盖。"]] as const) {
    language.value = chosen;
    expect([skillTitle(skill), skillDescription(skill)]).toEqual([title, description]);
    expect(skillOf(skill, [])).toMatchObject({ title, description });
  }
});

test("a skill with one text for all keeps it, and one without a title has its id", () => {
  expect(skillTitle({ id: "s", title: "Weather", titles: {} })).toBe("Weather");
  expect(skillTitle({ id: "s" })).toBe("s");
  expect(spoken("plain")).toBe("plain");
});
