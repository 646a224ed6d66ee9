import { describe, expect, it } from "vitest";

import { optionOf, seriesOf, type Drawing, type Option } from "../../src/parts/chart/options";
import { plotWidth, widthOf } from "../../src/parts/chart/labels";
import { readSpec, type ChartKind } from "../../src/parts/chart/spec";
import { PLAIN_LOOK } from "../../src/parts/chart/theme";

const drawing: Drawing = { look: PLAIN_LOOK, hidden: new Set(), still: true, decal: false, narrow: false };
const spec = readSpec({
  kind: "grouped_bar",
  title: "对比",
  columns: [
    { key: "n", title: "序号", type: "number", unit: "" },
    { key: "before", title: "优化前", type: "number", unit: "dBm" },
    { key: "after", title: "优化后", type: "number", unit: "dBm" },
    { key: "g", title: "频段", type: "text", unit: "" },
  ],
  rows: [
    [1, -98, -90, "n41"],
    [2, -95, -88, "n41"],
  ],
  x: "n",
  y: ["before", "after"],
});
const mapped = readSpec({ ...spec, kind: "heatmap", y: ["before"], group: "g" });
const series = (option: Option | null): Option[] => (option?.["series"] ?? []) as Option[];

describe("the option of a kind", () => {
  it.each([
    ["grouped_bar", "bar", undefined],
    ["stacked_bar", "bar", "all"],
    ["line", "line", undefined],
    ["scatter", "scatter", undefined],
  ] as [ChartKind, string, string | undefined][])("%s draws %s series", (kind, type, stack) => {
    const drawn = series(optionOf(spec, kind, drawing));
    expect(drawn.map((one) => [one["type"], one["stack"]])).toEqual([
      [type, stack],
      [type, stack],
    ]);
  });

  it("a long line over rising numbers has an axis of numbers, so that its ticks are round", () => {
    const rows = Array.from({ length: 100 }, (_, at) => [0.03 + at * 0.17, at, at === 5 ? at : null]);
    const columns = ["n", "before", "after"].map((key) => ({ key, title: key, type: "number", unit: "" }));
    const long = { kind: "line", title: "", columns, rows, x: "n", y: ["before", "after"] };
    const option = optionOf(readSpec(long), "line", drawing);
    expect(option?.["xAxis"]).toMatchObject({ type: "value" });
    expect((series(option)[1]?.["data"] as unknown[])[4]).toEqual([rows[4]?.[0], null]);
    expect((series(option)[1]?.["data"] as unknown[])[5]).toEqual([rows[5]?.[0], 5]);
    const named = { ...long, rows: rows.map(([, ...rest], at) => [`day ${at}`, ...rest]) };
    expect(optionOf(readSpec(named), "line", drawing)?.["xAxis"]).toMatchObject({ type: "category" });
  });

  it("cursors are upright lines with harmonics and side bands over an axis of numbers, each with a switch", () => {
    const rows = Array.from({ length: 120 }, (_, at) => [0.1 * at, at]);
    const columns = ["n", "v"].map((key) => ({ key, title: key, type: "number", unit: "" }));
    const cursors = [{ title: "BPFI", at: [5.4, 10.8], sides: [4.4, 6.4] }, { title: "1×", at: [1] }];
    const long = readSpec({ kind: "line", title: "", columns, rows, x: "n", y: ["v"], cursors });
    expect(seriesOf(long, "line")).toEqual(["v", "BPFI", "1×"]);
    expect(seriesOf(long, "grouped_bar")).toEqual(["v"]);
    const [, main, shaft] = series(optionOf(long, "line", drawing));
    const lines = (main?.["markLine"] as { data: { xAxis: number; label: Option; lineStyle: Option }[] }).data;
    expect(lines.map((one) => [one.xAxis, one.lineStyle["type"]])).toEqual([
      [5.4, "solid"],
      [10.8, "solid"],
      [4.4, "dotted"],
      [6.4, "dotted"],
    ]);
    expect(lines.map((one) => one.label["formatter"])).toEqual(["BPFI", "2", undefined, undefined]);
    expect((shaft?.["markLine"] as { data: Option[] }).data).toHaveLength(1);
    const off = series(optionOf(long, "line", { ...drawing, hidden: new Set(["BPFI"]) }));
    expect(off.map((one) => one["name"])).toEqual(["v", "1×"]);
  });

  it("names of cursors stand above the plot, none over another; where there is no room, the legend names the line", () => {
    const rows = Array.from({ length: 190 }, (_, at) => [0.1 * at, at]);
    const columns = ["n", "v"].map((key) => ({ key, title: key, type: "number", unit: "" }));
    const harmonics = (title: string, first: number) => ({ title, at: [1, 2, 3].map((times) => times * first) });
    const cursors = [harmonics("BPFI", 5.4), harmonics("BPFO", 3.57), harmonics("2×BSF", 4.73), harmonics("FTF", 0.4), harmonics("1×", 1)];
    const read = readSpec({ kind: "line", title: "", columns, rows, x: "n", y: ["v"], cursors });
    for (const narrow of [false, true]) {
      const option = optionOf(read, "line", { ...drawing, narrow });
      const shown = series(option).slice(1).flatMap((one) =>
        (one["markLine"] as { data: { xAxis: number; label: Option }[] }).data
          .filter(({ label }) => label["show"])
          .map(({ xAxis, label }) => ({ text: String(label["formatter"]), at: (xAxis * plotWidth(narrow)) / 18.9, up: (label["distance"] as [number, number])[1] })),
      );
      const over = shown.filter((one, at) => shown.some((other, place) => place < at && one.up === other.up && Math.abs(one.at - other.at) < (widthOf(one.text) + widthOf(other.text)) / 2));
      expect(over).toEqual([]);
      expect(shown.map((one) => one.text)).toEqual(expect.arrayContaining(cursors.map((one) => one.title)));
      const above = Number((option?.["yAxis"] as Option)["nameGap"]);
      expect(shown.every((one) => one.up >= 0 && one.up + 10 <= above)).toBe(true);
    }
  });

  it("heatmap draws cells with a scale from the least to the greatest", () => {
    const option = optionOf(mapped, "heatmap", drawing);
    expect(series(option)[0]).toMatchObject({
      type: "heatmap",
      data: [
        [0, 0, -98],
        [1, 0, -95],
      ],
    });
    expect(option?.["visualMap"]).toMatchObject({ min: -98, max: -95 });
  });

  it("table has none", () => {
    expect(optionOf(spec, "table", drawing)).toBeNull();
  });

  it.each(["grouped_bar", "stacked_bar", "line", "scatter", "heatmap"] as const)(
    "%s draws its tips as text and says what it shows",
    (kind) => {
      const option = optionOf(mapped, kind, drawing);
      expect(option?.["tooltip"]).toMatchObject({ renderMode: "richText" });
      expect(option?.["aria"]).toMatchObject({ enabled: true, decal: { show: false } });
    },
  );

  it("leaves out hidden series and keeps the colours of the others", () => {
    const [first, second] = seriesOf(spec, "line");
    const drawn = series(optionOf(spec, "line", { ...drawing, hidden: new Set([first ?? ""]) }));
    expect(drawn.map((one) => [one["name"], one["color"]])).toEqual([[second, PLAIN_LOOK.series[1]]]);
  });

  it("shows the unit that all measures share", () => {
    expect(optionOf(spec, "line", drawing)?.["yAxis"]).toMatchObject({ name: "dBm" });
  });

  it("gets a slider once there are too many places to read", () => {
    const long = readSpec({ kind: "line", rows: Array.from({ length: 200 }, (_, at) => ({ x: `d${at}`, y: at })), x: "x", y: ["y"] });
    expect(optionOf(long, "line", drawing)?.["dataZoom"]).toHaveLength(1);
    expect(optionOf(spec, "line", drawing)?.["dataZoom"]).toHaveLength(0);
  });
});

it("bars of levels grow from the lower end of the axis, and limits are drawn in", () => {
  const levels = {
    kind: "grouped_bar",
    title: "",
    columns: [
      { key: "cell", title: "cell", type: "text", unit: "" },
      { key: "level", title: "level", type: "number", unit: "dBm" },
    ],
    rows: [
      ["a", -104.9],
      ["b", -82],
    ],
    x: "cell",
    y: ["level"],
    group: "",
  };
  const axisOf = (spec: object) => optionOf(readSpec(spec), "grouped_bar", drawing)?.["yAxis"];
  expect(axisOf(levels)).toMatchObject({ min: -110, max: -80, startValue: -110 });
  expect(axisOf({ ...levels, range: [-120, -70] })).toMatchObject({ min: -120, max: -70, startValue: -120 });
  const limited = optionOf(readSpec({ ...levels, thresholds: [{ value: -110, title: "weak" }] }), "grouped_bar", drawing);
  expect(limited?.["series"]).toMatchObject([{ markLine: { data: [{ yAxis: -110, name: "weak" }] } }]);
});

const named = (names: readonly string[]): ReturnType<typeof readSpec> =>
  readSpec({ kind: "grouped_bar", rows: names.map((x, at) => ({ x, y: at + 1 })), x: "x", y: ["y"] });
const labels = (names: readonly string[]): Option =>
  (optionOf(named(names), "grouped_bar", drawing)?.["xAxis"] as { axisLabel: Option }).axisLabel;

it("every name of a few is shown: upright where it fits, else slanted; of many, those that fit", () => {
  const fleet = ["1号泵", "2号风机", "3号电机", "4号齿轮箱", "试验台（实测）", "5号输送机"];
  expect(labels(fleet)).toMatchObject({ interval: 0, hideOverlap: false });
  expect(labels(fleet)).not.toHaveProperty("rotate");
  expect(labels([...fleet, "冷却水循环系统的二号备用离心泵"])).toMatchObject({ interval: 0, rotate: 30 });
  expect(labels(Array.from({ length: 40 }, (_, at) => `cell ${at}`))).not.toHaveProperty("interval");
});

it("names are turned further where the places are narrower, so that none is over the next", () => {
  const months = Array.from({ length: 12 }, (_, at) => `2025-${at + 1}x`);
  const turn = (names: readonly string[], narrow: boolean): unknown =>
    (optionOf(named(names), "grouped_bar", { ...drawing, narrow })?.["xAxis"] as { axisLabel: Option }).axisLabel["rotate"];
  expect([turn(months, false), turn(months, true), turn(months.concat(months.map((one) => `${one}y`)), true)]).toEqual([30, 45, 90]);
});

it("a limit that the values have not reached is within the axis if it is near", () => {
  const limited = (value: number, rows: object[] = [{ x: "a", y: 1 }, { x: "b", y: 5.2 }]) =>
    optionOf(readSpec({ kind: "line", rows, x: "x", y: ["y"], thresholds: [{ value, title: "failure" }] }), "line", drawing)?.["yAxis"];
  expect(limited(8)).toMatchObject({ max: 10 });
  expect(limited(3)).not.toHaveProperty("max");
  expect(limited(800)).not.toHaveProperty("max");
  expect(limited(98, [{ x: "a", y: 97.1 }, { x: "b", y: 97.9 }])).toMatchObject({ max: 98.2 });
});
