import { expect, test } from "vitest";
import { brief } from "../../src/chat/tool-card";

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
