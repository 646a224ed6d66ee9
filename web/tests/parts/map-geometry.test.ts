import { expect, test } from "vitest";

import type { MapSpec } from "../../src/generated/api";
import { bandAt, cornerOf, degreesOf, limitPath, scaleLength, sharesOf, squareAt, squarePaths, wedgePath } from "../../src/parts/map/geometry";
import { coloursOf } from "../../src/parts/map/palette";
import { moved } from "../../src/parts/map/picture";

const bands = [
  { low: null, high: -110, title: "weak" },
  { low: -110, high: -95, title: "fair" },
  { low: -95, high: null, title: "good" },
];
const values = [-120, -100, -90, null];
const spec: MapSpec = {
  title: "",
  measure: "RSRP",
  unit: "dBm",
  difference_unit: "dB",
  width_m: 200,
  height_m: 100,
  south: 0,
  west: 100,
  columns: 2,
  rows: 2,
  layers: [{ id: "all", title: "", stages: [{ stage: "before", values }] }],
  bands,
  difference_bands: [],
  threshold: -110,
  sites: [],
  sectors: [],
  ground: [],
  note: "",
};

test("a value on the edge of a band belongs to the band above", () => {
  expect([-110.1, -110, -95].map((value) => bandAt(bands, value))).toEqual([0, 1, 2]);
  expect(sharesOf(values, bands).map(Math.round)).toEqual([33, 33, 33]);
});

test("rows count from the south, the picture from the north", () => {
  expect(cornerOf(spec, 0)).toEqual([0, 50]);
  expect(squareAt(spec, 150, 10)).toBe(3);
  expect(squareAt(spec, -1, 10)).toBeNull();
  expect(squarePaths(spec, values, bands)[0]).toBe("M0 50h100v50h-100z");
  expect(degreesOf(spec, 0)[1]).toBeCloseTo(25 / 110_574, 6);
});

test("the limit runs between squares below it and the others", () => {
  expect(limitPath(spec, values, -110)).toBe("M100 50v50M0 50h100");
});

test("a wedge points in its direction, clockwise from north", () => {
  expect(wedgePath(0, 0, 90, 60, 10)).toBe("M0 0L8.7 -5A10 10 0 0 1 8.7 5z");
});

test("arrow keys stay on the map", () => {
  expect(["ArrowUp", "ArrowRight", "ArrowDown", "x"].map((key) => moved(spec, 1, key))).toEqual([3, 1, 1, null]);
});

test("there is a colour for every band, and a round length for the scale", () => {
  expect(coloursOf(4, "after")).toHaveLength(4);
  expect(new Set(coloursOf(7, "difference")).size).toBe(7);
  expect(scaleLength(spec)).toBe(20);
});
