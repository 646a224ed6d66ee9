import { describe, expect, it } from "vitest";

import { grouped, heat, scattered } from "../../src/parts/chart/series";
import { readSpec, type ChartSpec } from "../../src/parts/chart/spec";

const column = (key: string, type = "number", unit = "") => ({ key, title: key, type, unit });

const traffic: ChartSpec = readSpec({
  kind: "line",
  title: "流量",
  columns: [column("month", "text"), column("city", "text"), column("tb", "number", "TB")],
  rows: [
    ["一月", "朝阳", 10],
    ["一月", "海淀", 20],
    ["二月", "朝阳", null],
    ["二月", "海淀", 24],
  ],
  x: "month",
  y: ["tb"],
  group: "city",
});

describe("series of bars and lines", () => {
  it("are one for each group, over the places in order of first appearance", () => {
    expect(grouped(traffic)).toEqual({
      places: ["一月", "二月"],
      series: [
        { name: "朝阳", values: [10, null] },
        { name: "海淀", values: [20, 24] },
      ],
    });
  });

  it("are named by measure and group when both differ", () => {
    const spec = readSpec({ kind: "line", rows: [{ x: "a", g: "n78", up: 1, down: 2 }], x: "x", y: ["up", "down"], group: "g" });
    expect(grouped(spec).series.map((one) => one.name)).toEqual(["up · n78", "down · n78"]);
  });

  it("keep a value that comes again at the same place, at a place of its own", () => {
    const spec = readSpec({
      kind: "line",
      rows: [
        ["a", 1],
        ["b", 2],
        ["a", 3],
      ].map(([x, y]) => ({ x, y })),
      x: "x",
      y: ["y"],
    });
    expect(grouped(spec)).toEqual({ places: ["a", "b", "a"], series: [{ name: "y", values: [1, 2, 3] }] });
  });
});

describe("points of a scatter chart", () => {
  it("leave out what has no place", () => {
    const spec = readSpec({
      kind: "scatter",
      rows: [
        { x: 1, y: 2 },
        { x: null, y: 3 },
        { x: 4, y: null },
      ],
      x: "x",
      y: ["y"],
    });
    expect(scattered(spec)).toEqual([{ name: "y", points: [[1, 2]] }]);
  });
});

describe("cells of a heatmap", () => {
  it("stand on two axes of words in the order of the rows", () => {
    const rows = [
      { h: "忙时", d: "周一", v: 80 },
      { h: "闲时", d: "周一", v: 20 },
      { h: "忙时", d: "周二", v: 90 },
    ];
    const found = heat(readSpec({ kind: "heatmap", rows, x: "h", y: ["v"], group: "d" }));
    expect(found).toMatchObject({ across: ["忙时", "闲时"], up: ["周一", "周二"], low: 20, high: 90, isMap: false });
    expect(found.cells).toEqual([
      [0, 0, 80],
      [1, 0, 20],
      [0, 1, 90],
    ]);
  });

  it("make a map of numbers: sorted, whatever the order of the rows", () => {
    const rows = [
      { lon: 116.4, lat: 39.92, r: -80 },
      { lon: 116.39, lat: 39.91, r: -90 },
    ];
    const found = heat(readSpec({ kind: "heatmap", rows, x: "lon", y: ["r"], group: "lat" }));
    expect(found).toMatchObject({ across: ["116.39", "116.40"], up: ["39.91", "39.92"], isMap: true });
    expect(found.cells).toEqual([
      [1, 1, -80],
      [0, 0, -90],
    ]);
  });

  it("keep all of a 60 by 60 coverage grid", () => {
    const rows = Array.from({ length: 3600 }, (_, at) => ({
      lon: 116 + (at % 60) * 0.001,
      lat: 39 + Math.floor(at / 60) * 0.001,
      r: -at / 100,
    }));
    const found = heat(readSpec({ kind: "heatmap", rows, x: "lon", y: ["r"], group: "lat" }));
    expect([found.across.length, found.up.length, found.cells.length]).toEqual([60, 60, 3600]);
  });

  it("put scattered places into bins, each with the mean of its values", () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ lon: at / 1000, lat: (at * 7) % 1000, r: 5 }));
    const found = heat(readSpec({ kind: "heatmap", rows, x: "lon", y: ["r"], group: "lat" }));
    expect([found.across.length, found.up.length]).toEqual([100, 100]);
    expect(new Set(found.cells.map(([, , value]) => value))).toEqual(new Set([5]));
  });
});
