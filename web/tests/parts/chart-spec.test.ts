import { describe, expect, it } from "vitest";

import { fileName, framed } from "../../src/parts/chart/download";
import { drawable, readSpec, toCsv } from "../../src/parts/chart/spec";

const rows = [
  { city: "朝阳", rsrp: -98 },
  { city: "海淀", rsrp: -90 },
];

describe("a chart from JSON", () => {
  it("finds its columns in its rows when it names none", () => {
    const spec = readSpec({ kind: "grouped_bar", title: "RSRP", rows, x: "city", y: ["rsrp"] });
    expect(spec.columns.map(({ key, type }) => [key, type])).toEqual([
      ["city", "text"],
      ["rsrp", "number"],
    ]);
    expect(spec.rows).toEqual([
      ["朝阳", -98],
      ["海淀", -90],
    ]);
  });

  it.each([
    ["an unknown kind", { kind: "pie", rows, x: "city", y: ["rsrp"] }],
    ["a column that is not there", { kind: "line", rows, x: "town", y: ["rsrp"] }],
    ["a heatmap without its other axis", { kind: "heatmap", rows, x: "city", y: ["rsrp"] }],
    ["a scatter over words", { kind: "scatter", rows, x: "city", y: ["rsrp"] }],
  ])("becomes a table for %s, so nothing is lost", (_, value) => {
    const spec = readSpec(value);
    expect(spec.kind).toBe("table");
    expect(spec.rows).toHaveLength(2);
  });

  it("takes anything without breaking", () => {
    for (const value of [null, 3, "x", [], { rows: 5 }, { columns: [1] }]) expect(readSpec(value).kind).toBe("table");
  });

  it("can be drawn as every kind that its columns suffice for", () => {
    const spec = readSpec({ kind: "table", rows, x: "city", y: ["rsrp"] });
    expect(["grouped_bar", "line", "stacked_bar", "scatter", "heatmap"].map((kind) => drawable(spec, kind as "line"))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("a chart as a file", () => {
  it("is CSV that spreadsheets read: marked, quoted, and without formulas", () => {
    const spec = readSpec({
      kind: "table",
      columns: [
        { key: "a", title: "名称" },
        { key: "b", title: "值", unit: "%" },
      ],
      rows: [
        ["=1+1", -2],
        ['他说"好"', null],
      ],
    });
    expect(toCsv(spec)).toBe('\ufeff名称,值 (%)\r\n\'=1+1,-2\r\n"他说""好""",\r\n');
  });

  it("has a name without separators, never an empty one", () => {
    expect(fileName("a/b:c", "png")).toBe("a b c.png");
    expect(fileName("///", "svg")).toBe("chart.svg");
  });

  it("is a picture with its title and keys, and nothing of them is markup", () => {
    const look = { text: "#000", font: "'A', sans-serif" };
    const keys = [
      { name: "<b>", colour: "#111" },
      { name: "后", colour: "#222" },
    ];
    const made = framed('<svg width="300" height="200" xmlns="http://www.w3.org/2000/svg"></svg>', 'a & "b"', keys, look);
    const parsed = new DOMParser().parseFromString(made, "image/svg+xml");
    expect(parsed.querySelector("parsererror")).toBeNull();
    expect([...parsed.querySelectorAll("text")].map((one) => one.textContent)).toEqual(['a & "b"', "<b>", "后"]);
    expect(parsed.documentElement.getAttribute("height")).toBe("256");
  });
});
