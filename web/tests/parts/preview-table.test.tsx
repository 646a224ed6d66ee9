import { render } from "preact";
import { useState } from "preact/hooks";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, it } from "vitest";
import type { CallPreview, PreviewRow } from "../../src/generated/api";
import { setLanguage } from "../../src/app/language";
import { ALL_ROWS, choiceOf, chosenRows, findMisfits, PreviewTable } from "../../src/parts/preview-table";

const EDIT = { after: { type: "number", minimum: 0, maximum: 20 } };

function previewOf(count: number): CallPreview {
  const rows: PreviewRow[] = Array.from({ length: count }, (_, at) => ({ id: `cell-${at}`, values: { cell: `C${at}`, after: at }, edit: EDIT }));
  const columns = [
    { key: "cell", title: { zh: "小区", en: "cell" } },
    { key: "after", title: { zh: "新值", en: "new" }, role: "new" as const },
  ];
  return { sentence: { zh: "改动", en: "changes" }, columns, rows, totals: [], chosen_as: "rows", digest: "d" };
}

describe("the table of what a call would do", () => {
  beforeEach(() => setLanguage("en"));

  it("says nothing about rows that run as they were shown", () => {
    expect(chosenRows(previewOf(3), ALL_ROWS)).toBeNull();
  });

  it("names every row where words have chosen some before", () => {
    expect(chosenRows(previewOf(2), ALL_ROWS, true)).toEqual([{ id: "cell-0" }, { id: "cell-1" }]);
  });

  it("gives the chosen rows with the edited values", () => {
    const choice = { out: new Set(["cell-0"]), typed: { "cell-2\nafter": "7.5" } };
    expect(chosenRows(previewOf(3), choice)).toEqual([{ id: "cell-1" }, { id: "cell-2", after: 7.5 }]);
  });

  it("names the row, the column and the limits of a value that does not fit", () => {
    const typed = { "cell-0\nafter": "20", "cell-1\nafter": "99", "cell-2\nafter": "" };
    expect(findMisfits(previewOf(3), { out: new Set(), typed })).toEqual(["C1: new must be from 0 to 20, not 99.", "C2: new must be from 0 to 20, not –."]);
    expect(findMisfits(previewOf(3), { out: new Set(["cell-1", "cell-2"]), typed })).toEqual([]);
  });

  it("can be read whole before it is approved, however long a text is", () => {
    const minutes = `${"会议".repeat(2000)}完`;
    const preview = { ...previewOf(1), rows: [{ id: "a", values: { cell: minutes, after: 1 }, edit: {} }] };
    const box = document.createElement("div");
    act(() => render(<PreviewTable preview={preview} choice={ALL_ROWS} />, box));
    expect(box.textContent).toContain("Show all (4001 characters)");
    act(() => box.querySelector<HTMLButtonElement>("td button")?.click());
    expect(box.textContent).toContain(minutes);
  });

  it("leaves in the rows that words chose", () => {
    expect([...choiceOf(previewOf(3), ["cell-1"]).out]).toEqual(["cell-0", "cell-2"]);
    expect(choiceOf(previewOf(3), null)).toBe(ALL_ROWS);
  });

  it("shows 67 changes in pages of 24 and leaves out what is unchecked", () => {
    function Card() {
      const [choice, setChoice] = useState(ALL_ROWS);
      return <PreviewTable preview={previewOf(67)} choice={choice} onChoose={setChoice} />;
    }
    const root = document.body.appendChild(document.createElement("div"));
    act(() => render(<Card />, root));
    expect(root.querySelectorAll("tbody tr")).toHaveLength(24);
    expect(root.textContent).toContain("67");
    expect(root.textContent).toContain("1 / 3");
    act(() => root.querySelector<HTMLInputElement>("tbody input[type=checkbox]")?.click());
    expect(root.textContent).toMatch(/66.*67/);
  });
});

it("gives a block with headings and rows the width of the table, below its row", () => {
  const columns = [
    { key: "place", title: { zh: "位置", en: "place" } },
    { key: "after", title: { zh: "改为", en: "after" }, role: "new" as const },
  ];
  const rows: PreviewRow[] = [
    { id: "a", values: { place: "end", after: "# Minutes\nSubject: x\nWhat\tWho\nfix it\tTom" } },
    { id: "b", values: { place: "Paragraph 3", after: "plain\nlines" } },
  ];
  const place = document.createElement("div");
  render(<PreviewTable preview={{ sentence: { zh: "改动", en: "changes" }, columns, rows, totals: [], chosen_as: "rows", digest: "d" }} choice={ALL_ROWS} onChoose={() => undefined} />, place);
  const [wide] = place.querySelectorAll<HTMLTableCellElement>(".whole-row > td");
  expect([place.querySelectorAll(".whole-row").length, wide?.colSpan]).toEqual([1, 3]);
  expect(wide?.querySelector(".written-heading")?.textContent).toBe("Minutes");
  expect(place.querySelectorAll("input[type=checkbox]").length).toBe(3);
});

it("puts columns of numbers at their end, with their names, and names the block of a row on a phone", () => {
  const columns = ["place", "before", "after"].map((key) => ({ key, title: { zh: key, en: key } }));
  const rows: PreviewRow[] = [
    { id: "a", values: { place: "E5", before: "1", after: 11 } },
    { id: "b", values: { place: "E6", before: null, after: 9.5 } },
    { id: "c", values: { place: "E7", before: "30%", after: "# Minutes\nx" } },
  ];
  const place = document.createElement("div");
  render(<PreviewTable preview={{ sentence: { zh: "改动", en: "changes" }, columns, rows, totals: [], digest: "d" }} choice={ALL_ROWS} />, place);
  expect([...place.querySelectorAll("th.number")].map((one) => one.textContent)).toEqual(["before"]);
  expect([...place.querySelectorAll("td.number")].map((one) => one.textContent)).toEqual(["1", "–", "30%"]);
  expect(place.querySelector("td.muted")?.getAttribute("data-title")).toBe("after");
});
