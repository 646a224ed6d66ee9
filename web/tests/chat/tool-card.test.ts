import { expect, test } from "vitest";
import { setLanguage } from "../../src/app/language";
import { brief, errorWords } from "../../src/chat/tool-card";

test("the line beside a step has words and named numbers, no ids, switches or JSON", () => {
  const details = [
    { title: "技能", value: "/trend_and_life" },
    { title: "设备", value: "1号泵" },
    { title: "转速", value: "1771.8" },
    { title: "重算", value: "false" },
    { title: "来源", value: "sample:work" },
    { title: "选项", value: '{"a": 1}' },
  ];
  expect(brief({ details, arguments: {} })).toBe("1号泵 · 转速 1771.8");
  expect(brief({ details: null, arguments: { item: "pencil", count: 2, flag: true, rows: [1] } })).toBe("pencil · 2");
});

test("why a call failed is said in the reader's language, whatever the tool's own words are", () => {
  const failed = { code: "invalid_arguments", message: '$.number: must be a whole number, not "x"', hint: "find_state takes number" };
  const missing = { code: "not_found", message: "there is no 'nope.txt'", hint: "list_dir shows what there is" };
  const odd = { code: "odd_code", message: "no luck with 'a.csv'", hint: "" };
  setLanguage("zh");
  expect(errorWords(failed)).toBe("参数不符合工具的要求");
  expect(errorWords(missing)).toContain("（「nope.txt」）");
  expect(errorWords(missing)).not.toMatch(/list_dir|there is/);
  expect(errorWords(odd)).toBe("工具没有完成这次调用（「a.csv」）");
  expect(errorWords({ ...odd, message: "没有这一列" })).toBe("没有这一列");
  setLanguage("en");
  expect(errorWords(failed)).toBe(`${failed.message} ${failed.hint}`);
});
