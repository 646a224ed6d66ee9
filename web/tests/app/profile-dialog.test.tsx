import { expect, test } from "vitest";
import { listRows } from "../../src/app/profile-dialog";

test("a profile is listed by path, without what the server counts", () => {
  const rows = listRows({
    user: "ann",
    profile: { birth_info: { date: "1990-06-15", time: "14:30" }, extracted: [{ text: "my words" }] },
    skill_data: { tarot: { version: 2, data: { draws: { x: 1 } } }, bazi: { version: 1, data: { _computed_from: "ab" } }, _trials: { version: 1, data: { tarot: 1 } } },
    facts: [],
  });
  expect(rows.map((row) => row.path)).toEqual(["birth_info.date", "birth_info.time", "extracted", "skill_data.tarot.draws"]);
});
