import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, expect, test } from "vitest";
import { setLanguage } from "../../src/app/language";
import type { JsonObject } from "../../src/generated/api";
import { fieldsOf } from "../../src/parts/form/field";
import { SchemaForm } from "../../src/parts/form/form";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    site: { type: "string", title: "站点" },
    count: { type: "integer", title: "数量", minimum: 1, maximum: 9 },
    people: { type: "array", title: "人员", items: { type: "string", title: "姓名" }, minItems: 1, maxItems: 2 },
  },
  required: ["site", "count", "people"],
};
let root: HTMLElement;
let sent: JsonObject[];

beforeEach(() => {
  setLanguage("zh");
  document.body.innerHTML = '<div id="root"></div>';
  root = document.getElementById("root") as HTMLElement;
  sent = [];
  act(() => render(<SchemaForm fields={fieldsOf(SCHEMA)} known={{ site: "朝阳-017" }} locked={["site"]} submit="提交" onSubmit={(value) => sent.push(value)} />, root));
});

const field = (label: string): HTMLInputElement => {
  const found = [...root.querySelectorAll("label")].find((one) => one.textContent?.startsWith(label));
  return document.getElementById(found?.htmlFor ?? "") as HTMLInputElement;
};
const write = (label: string, text: string): void => {
  const input = field(label);
  act(() => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
};
const press = (text: string): void => {
  const button = [...root.querySelectorAll("button")].find((one) => (one.textContent ?? "").includes(text) || one.getAttribute("aria-label")?.includes(text));
  act(() => button?.click());
};

test("what is known is filled in and locked until it is unlocked", () => {
  expect([field("站点").value, field("站点").disabled]).toEqual(["朝阳-017", true]);
  press("修改");
  expect(field("站点").disabled).toBe(false);
  write("站点", "浦东-003");
  write("数量", "2");
  write("姓名 1", "张三");
  press("提交");
  expect(sent).toEqual([{ site: "浦东-003", count: 2, people: ["张三"] }]);
});

test("what is wrong is summed up, and each line leads to its field", () => {
  write("数量", "12");
  press("提交");
  expect(sent).toEqual([]);
  const summary = root.querySelector("[role=alert]") as HTMLElement;
  expect([...summary.querySelectorAll("li")].map((one) => one.textContent)).toEqual(["数量：不能大于 9", "姓名 1：必填"]);
  expect(document.activeElement).toBe(summary);
  act(() => summary.querySelector("a")?.click());
  expect(document.activeElement).toBe(field("数量"));
  expect(field("数量").getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(field("数量").getAttribute("aria-describedby")?.split(" ").at(-1) ?? "")?.textContent).toBe("不能大于 9");
});

test("rows are added and taken away within their limits", () => {
  press("添加一行");
  expect(root.querySelectorAll(".row")).toHaveLength(2);
  expect(root.querySelector<HTMLButtonElement>(".add-row")?.disabled).toBe(true);
  press("删除第 1 行");
  expect(root.querySelectorAll(".row")).toHaveLength(1);
});
