import { expect, test } from "vitest";
import { readingOrder } from "../../src/parts/column-order";

const order = (...keys: string[]): string[] => readingOrder(keys.map((key) => ({ key, title: key, type: "text", unit: "" }))).map((at) => keys[at] as string);

test("coordinates and ids stand after what is told of a row, whose name stays first", () => {
  expect(order("小区id", "经度", "纬度", "RSRP", "根因")).toEqual(["小区id", "RSRP", "根因", "经度", "纬度"]);
  expect(order("cell", "longitude", "latitude", "site_id", "tilt")).toEqual(["cell", "tilt", "longitude", "latitude", "site_id"]);
});

test("other columns stay in their order", () => {
  expect(order("id", "paid", "lately", "xylophone")).toEqual(["id", "paid", "lately", "xylophone"]);
});
