import { describe, expect, test } from "vitest";
import { fieldsLike, fieldsOf, type Field } from "../../src/parts/form/field";
import { rawOf, readForm, type Raw } from "../../src/parts/form/values";
import type { JsonObject } from "../../src/generated/api";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    site: { type: "string", title: "站点", minLength: 2, maxLength: 6 },
    count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    tilt: { anyOf: [{ type: "number", maximum: 12 }, { type: "null" }] },
    when: { type: "string", format: "date" },
    kind: { enum: ["巡检", "整改"] },
    hours: { type: "array", items: { type: "integer", minimum: 0, maximum: 24 }, minItems: 2, maxItems: 2 },
    people: { type: "array", minItems: 1, maxItems: 2, items: { $ref: "#/$defs/person" } },
    days: { type: "array", items: { enum: ["一", "二", "三"] } },
    place: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x"] },
    remote: { type: "boolean" },
    extra: { type: "object" },
    code: { type: "string", pattern: "^[A-Z]{2}$" },
  },
  required: ["site", "people", "kind"],
  $defs: { person: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] } },
};

function filled(change: Record<string, Raw>): ReturnType<typeof readForm> {
  const fields = fieldsOf(SCHEMA);
  const base = { ...rawOf(fields, {}), site: "朝阳", kind: "1", people: [{ name: "张三" }] };
  return readForm(fields, { ...base, ...change });
}

test("a schema becomes fields of the right kind", () => {
  expect(Object.fromEntries(fieldsOf(SCHEMA).map((field) => [field.name, field.kind]))).toEqual({
    site: "text",
    count: "integer",
    tilt: "number",
    when: "date",
    kind: "choice",
    hours: "range",
    people: "array",
    days: "many",
    place: "object",
    remote: "boolean",
    extra: "json",
    code: "text",
  });
});

test("defaults are filled in and empty fields are left out", () => {
  expect(filled({})).toEqual({ value: { site: "朝阳", count: 3, kind: "整改", people: [{ name: "张三" }], remote: false }, problems: [] });
});

test("known values come back as they were", () => {
  const known = { site: "浦东", count: 5, tilt: 2.5, when: "2026-02-01", kind: "巡检", hours: [1, 2], people: [{ name: "李四" }], days: ["二"], place: { x: 1 }, remote: true, extra: { a: [1] }, code: "AB" };
  const fields = fieldsOf(SCHEMA);
  expect(readForm(fields, rawOf(fields, known))).toEqual({ value: known, problems: [] });
});

describe("what does not fit is named", () => {
  test.each<[string, Record<string, Raw>, string, string]>([
    ["an empty field that is needed", { site: " " }, "site", "missing"],
    ["too short a text", { site: "朝" }, "site", "short"],
    ["too long a text", { site: "朝阳区望京街道" }, "site", "long"],
    ["no number", { count: "three" }, "count", "number"],
    ["no whole number", { count: "1.5" }, "count", "integer"],
    ["too small a number", { count: "0" }, "count", "low"],
    ["too large a number", { tilt: "13" }, "tilt", "high"],
    ["no choice", { kind: "" }, "kind", "missing"],
    ["half a range", { hours: ["3", ""] }, "hours.1", "missing"],
    ["a range from the end", { hours: ["9", "3"] }, "hours.1", "order"],
    ["no rows", { people: [] }, "people", "missing"],
    ["too many rows", { people: [{ name: "a" }, { name: "b" }, { name: "c" }] }, "people", "much"],
    ["an empty row", { people: [{ name: "" }] }, "people.0.name", "missing"],
    ["half an object", { place: { x: "", y: "2" } }, "place.x", "missing"],
    ["no JSON", { extra: "{" }, "extra", "json"],
    ["another pattern", { code: "ab" }, "code", "pattern"],
  ])("%s", (_, change, path, code) => {
    expect(filled(change).problems.map((problem) => [problem.path, problem.code])).toContainEqual([path, code]);
  });
});

test("the server's hints give order, labels and options", () => {
  const hints = [{ name: "kind", title: "类型", description: "哪一种", widget: "radio", missing: true, options: [{ value: "整改", label: "整改（现场）" }] }];
  const [first] = fieldsOf(SCHEMA, hints) as [Field];
  expect([first.name, first.label, first.help, first.options]).toEqual(["kind", "类型", "哪一种", [{ value: "整改", label: "整改（现场）" }]]);
});

test("arguments without a schema can be edited and come back as they were", () => {
  const known = { to: ["a@example.com"], urgent: true, count: 2, nested: { a: "x" }, mixed: [1, "b"], nothing: [] };
  const fields = fieldsLike(known);
  expect(readForm(fields, rawOf(fields, known)).value).toEqual(known);
});

test("an empty row is named after its list and its place, and is one problem", () => {
  const fields = fieldsOf({ type: "object", properties: { goals: { title: "目标", type: "array", minItems: 1, items: { type: "string" } } }, required: ["goals"] });
  const { problems } = readForm(fields, { goals: [""] });
  expect(problems).toEqual([{ path: "goals.0", label: "目标 1", code: "missing", limit: "" }]);
});
