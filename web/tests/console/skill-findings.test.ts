import { expect, test } from "vitest";
import { strayFindings } from "../../src/console/skill-model";

const found = { code: "yaml_invalid", severity: "error", message: "found unexpected end of stream", path: "/srv/people/ann/skills/broken/SKILL.md", line: 5, skill: "broken" };

test("a file that cannot be read is told once, by its folder, with the whole path apart", () => {
  const findings = strayFindings({ skills: [], diagnostics: [found, { ...found }, { ...found, code: "name_missing" }] });
  expect(findings.map((one) => [one.code, one.where])).toEqual([
    ["yaml_invalid", "broken/SKILL.md:5"],
    ["name_missing", "broken/SKILL.md:5"],
  ]);
  expect(findings[0]?.path).toBe("/srv/people/ann/skills/broken/SKILL.md:5");
});
