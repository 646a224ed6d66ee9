import { expect, test } from "vitest";
import { differences } from "../../src/parts/diff";
import { passageIn } from "../../src/chat/citation";

test("changes are told where they are", () => {
  const before = { to: ["a", "b"], subject: "一", deep: { x: 1, y: 2 } };
  const after = { to: ["a", "c", "d"], subject: "一", deep: { x: 1 }, urgent: true };
  expect(differences(before, after)).toEqual([
    { path: "to[1]", before: "b", after: "c" },
    { path: "to[2]", before: undefined, after: "d" },
    { path: "deep.y", before: 2, after: undefined },
    { path: "urgent", before: undefined, after: true },
  ]);
});

test("what is the same has no changes", () => {
  expect(differences({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
});

test("a citation finds its passage in a result", () => {
  const data = { passages: [{ ref: "手册#1", text: "甲" }, { file: "手册", chunk: 2, body: "乙" }] };
  expect([passageIn(data, "手册#1"), passageIn(data, "手册#2"), passageIn(data, "手册#9")]).toEqual(["甲", "乙", ""]);
});
