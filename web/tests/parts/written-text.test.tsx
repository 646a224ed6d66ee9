import { render } from "preact";
import { afterEach, expect, test } from "vitest";
import { partsOf, WrittenText } from "../../src/parts/written-text";

const MINUTES = "# 会议纪要\n主题：录音稿\n## 待办\n事项\t责任人\n改完问题\t张涛\n# 1 号";

const place = document.createElement("div");
afterEach(() => render(null, place));

test("headings, rows and lines of a text that would be written are told apart", () => {
  expect(partsOf(MINUTES).map((part) => part.kind)).toEqual(["heading", "lines", "heading", "rows", "heading"]);
});

test("a heading looks like one and rows stand in a table", () => {
  render(<WrittenText text={MINUTES} />, place);
  expect([...place.querySelectorAll(".written-heading")].map((one) => one.textContent)).toEqual(["会议纪要", "待办", "1 号"]);
  expect([...place.querySelectorAll(".written-rows td")].map((one) => one.textContent)).toEqual(["事项", "责任人", "改完问题", "张涛"]);
});

test("a plain text stays a plain text", () => {
  render(<WrittenText text={"#5 号机\n第二行"} />, place);
  expect(place.innerHTML).toBe("#5 号机\n第二行");
});

test("numbers of a block that would be written stand at the end of their column", () => {
  render(<WrittenText text={"月份\t金额\n一月\t1,200.00\n合计\t=SUM(B2:B2)"} />, place);
  expect([...place.querySelectorAll(".number")].map((one) => one.textContent)).toEqual(["金额", "1,200.00", "=SUM(B2:B2)"]);
});
