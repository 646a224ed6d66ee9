import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import { setLanguage } from "../../src/app/language";
import { DataTable } from "../../src/parts/data-table";

test("the numbers of a column are all grouped, or none of them", () => {
  setLanguage("en");
  const columns = ["year", "sum"].map((key) => ({ key, title: key, type: "number" as const, unit: "" }));
  const root = document.createElement("div");
  const rows = [
    [2024, 1335736.95],
    [2025, 8972.5],
  ];
  act(() => render(<DataTable title="t" columns={columns} rows={rows} />, root));
  expect([...root.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["2024", "1,335,736.95", "2025", "8,972.50"]);
});

test("a number beside texts is grouped by itself and keeps its own digits", () => {
  setLanguage("en");
  const columns = ["name", "largest"].map((key) => ({ key, title: key, type: "text" as const, unit: "" }));
  const rows = [["sum", 1980000], ["price", 7618.37], ["day", "2025-12-26"], ["year", 2025]];
  const root = document.createElement("div");
  act(() => render(<DataTable title="t" columns={columns} rows={rows} />, root));
  expect([...root.querySelectorAll("td")].map((cell) => cell.textContent).filter((_, at) => at % 2)).toEqual(["1,980,000", "7618.37", "2025-12-26", "2025"]);
});
