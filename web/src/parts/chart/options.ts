/** The one place that knows the drawing library's options: a chart and its looks in, an option out. */

import { drawCursors, type CursorDrawing } from "./cursors";
import { labelTurn } from "./labels";
import { grouped, heat, scattered, type Heat, type HeatCell } from "./series";
import { columnOf, heading, unitOf, values, type ChartKind, type ChartSpec } from "./spec";
import type { Look } from "./theme";

/** An option of the drawing library, as plain data. */
export type Option = { [key: string]: unknown };

/** Everything beside the data that changes how a chart is drawn. */
export interface Drawing {
  readonly look: Look;
  readonly hidden: ReadonlySet<string>;
  readonly still: boolean;
  readonly decal: boolean;
  readonly narrow: boolean;
}

/** From so many places along the bottom, a slider picks a part of them. */
const LONG = 60;
const FEW = 24;
const MANY_POINTS = 2000;
const NO_CURSORS: CursorDrawing = { series: [], height: 0 };
/** A limit up to so many times the highest value is shown with it. */
const NEAR = 2.5;

/** The option for a kind; a table has none. */
export function optionOf(spec: ChartSpec, kind: ChartKind, drawing: Drawing): Option | null {
  if (kind === "table") return null;
  const drawn = kind === "heatmap" ? heatmap(spec, drawing) : kind === "scatter" ? scatter(spec, drawing) : bars(spec, kind, drawing);
  return { ...shared(drawing), ...drawn };
}

/** The names of the series that a reader may switch on and off, in the order of their colours. */
export function seriesOf(spec: ChartSpec, kind: ChartKind): string[] {
  if (kind === "table" || kind === "heatmap") return [];
  if (kind === "scatter") return scattered(spec).map((one) => one.name);
  const { places, series } = grouped(spec);
  const cursors = isScaled(kind, places) ? spec.cursors : [];
  return [...series, ...cursors.map(({ title }) => ({ name: title }))].map((one) => one.name);
}

/** The colour of a series by its place. */
export function colourOf(look: Look, at: number): string {
  return look.series[at % look.series.length] ?? look.text;
}

function shared({ look, still, decal }: Drawing): Option {
  return {
    animation: !still,
    animationDuration: 250,
    backgroundColor: "transparent",
    textStyle: { fontFamily: look.font, color: look.text },
    aria: { enabled: true, decal: { show: decal } },
  };
}

function bars(spec: ChartSpec, kind: ChartKind, drawing: Drawing): Option {
  const { places, series } = grouped(spec);
  const { look, hidden } = drawing;
  const long = places.length > LONG;
  const scaled = isScaled(kind, places);
  const cursors = scaled ? drawCursors(spec.cursors, series.length, [Number(places[0]), Number(places.at(-1))], drawing) : NO_CURSORS;
  const across: Option = scaled
    ? { ...valueAxis(look), splitLine: { show: false }, min: "dataMin", max: "dataMax", axisLabel: { ...label(look), showMinLabel: false, showMaxLabel: false } }
    : { ...axisLook(look), type: "category", data: [...places], boundaryGap: kind !== "line", axisLabel: placeLabels(places, drawing) };
  const points = (line: readonly (number | null)[]): Point[] => (scaled ? line.map((y, at) => [Number(places[at]), y]) : [...line]);
  return {
    grid: { left: 8, right: 16, top: unitOf(spec) ? 8 : 8 + cursors.height, bottom: long ? 44 : 4, outerBoundsMode: "same" },
    tooltip: { ...tip(look), trigger: "axis", axisPointer: { type: kind === "line" ? "line" : "shadow" } },
    xAxis: across,
    yAxis: { ...valueAxis(look), ...valueRange(spec, kind), name: unitOf(spec), scale: kind === "line", ...(cursors.height ? { nameGap: 6 + cursors.height } : {}) },
    dataZoom: long ? [{ type: "slider", height: 20, bottom: 8, borderColor: look.line, textStyle: { color: look.faint } }] : [],
    series: withThresholds(
      series.flatMap((one, at) => (hidden.has(one.name) ? [] : [oneSeries(one.name, points(one.values), kind, colourOf(look, at))])),
      spec,
      look,
    ).concat(cursors.series),
  };
}

/** Whether the places along the bottom are numbers of an axis: many, and rising. */
function isScaled(kind: ChartKind, places: readonly string[]): boolean {
  return kind === "line" && places.length > LONG && isRising(places);
}

/** A value at its place, or, along an axis of numbers, where it is and the value. */
type Point = number | null | [number, number | null];

/** Whether the places are rising numbers: many of them get an axis with round ticks. */
function isRising(places: readonly string[]): boolean {
  const found = places.map((place) => (place.trim() === "" ? NaN : Number(place)));
  return found.every((one, at) => Number.isFinite(one) && (at === 0 || one > (found[at - 1] ?? one)));
}

/** The value axis: as the chart says; levels below zero get an axis that fits them, and bars grow from its lower end. */
function valueRange(spec: ChartSpec, kind: ChartKind): Option {
  if (kind === "stacked_bar") return {};
  const [low, high] = spec.range ?? fitted(spec) ?? [];
  if (low !== undefined && high !== undefined) return { min: low, max: high, startValue: low };
  const top = limitAbove(spec, kind);
  return top === null ? {} : { max: top };
}

/** A round end of the axis above a limit that the values have not reached, if it is near; null if all limits are seen. */
function limitAbove(spec: ChartSpec, kind: ChartKind): number | null {
  const all = spec.y.flatMap((key) => values(spec, key)).filter((one) => typeof one === "number");
  const high = Math.max(...all);
  const limit = Math.max(...spec.thresholds.map(({ value }) => value).filter((value) => value > high && value <= NEAR * high));
  if (all.length === 0 || !Number.isFinite(limit)) return null;
  const step = roundStep((limit - (kind === "line" ? Math.min(...all) : 0)) / 5);
  return Number(((Math.floor(limit / step) + 1) * step).toPrecision(12));
}

/** The next of 1, 2, 5, 10, 20, … that is not below. */
function roundStep(least: number): number {
  const size = 10 ** Math.floor(Math.log10(least));
  return size * ([1, 2, 5].find((one) => one * size >= least) ?? 10);
}

function fitted(spec: ChartSpec): [number, number] | null {
  const all = spec.y.flatMap((key) => values(spec, key)).filter((one) => typeof one === "number");
  if (all.length === 0 || Math.max(...all) >= 0) return null;
  const step = 5;
  return [(Math.floor(Math.min(...all) / step) - 1) * step, Math.ceil(Math.max(...all) / step) * step];
}

/** The limits as dashed lines of the first series, which every series shares the axis of. */
function withThresholds(series: Option[], { thresholds }: ChartSpec, look: Look): Option[] {
  const [first, ...rest] = series;
  if (!first || thresholds.length === 0) return series;
  const markLine = {
    symbol: "none",
    silent: true,
    animation: false,
    lineStyle: { color: look.text, type: "dashed", width: 1 },
    label: { position: "insideEndTop", color: look.text, fontSize: 11, backgroundColor: look.ground, padding: [1, 3], borderRadius: 2, formatter: "{b}" },
    data: thresholds.map(({ value, title }) => ({ yAxis: value, name: title })),
  };
  return [{ ...first, markLine }, ...rest];
}

/** A few names are all shown, slanted if one is wider than its place; of many, those that fit. */
function placeLabels(places: readonly string[], { look, narrow }: Drawing): Option {
  const plain = { color: look.faint, fontSize: 11, hideOverlap: true };
  if (places.length > FEW || isRising(places)) return plain;
  const rotate = labelTurn(places, narrow);
  return { ...plain, interval: 0, hideOverlap: false, ...(rotate ? { rotate, width: 120, overflow: "truncate" } : {}) };
}

function oneSeries(name: string, data: Point[], kind: ChartKind, colour: string): Option {
  if (kind === "line") {
    const few = data.length <= 40;
    return { name, type: "line", data, color: colour, symbol: "circle", symbolSize: 6, showSymbol: few, lineStyle: { width: 2 } };
  }
  const stacked = kind === "stacked_bar";
  return {
    name,
    type: "bar",
    data,
    color: colour,
    barMaxWidth: 40,
    ...(stacked ? { stack: "all" } : { barGap: "8%" }),
    itemStyle: { borderRadius: stacked ? 0 : 2 },
  };
}

function scatter(spec: ChartSpec, { look, hidden }: Drawing): Option {
  const across = columnOf(spec, spec.x);
  const all = scattered(spec);
  const size = spec.rows.length > MANY_POINTS ? 4 : 8;
  return {
    grid: { left: 8, right: 24, top: 8, bottom: 4, outerBoundsMode: "same" },
    tooltip: { ...tip(look), trigger: "item" },
    xAxis: { ...valueAxis(look), name: heading(across), nameLocation: "middle", nameGap: 26, scale: true },
    yAxis: { ...valueAxis(look), name: spec.y.length === 1 ? heading(columnOf(spec, spec.y[0] ?? "")) : unitOf(spec), scale: true },
    series: all.flatMap((one, at) =>
      hidden.has(one.name)
        ? []
        : [{ name: one.name, type: "scatter", data: one.points, color: colourOf(look, at), symbolSize: size, itemStyle: { opacity: 0.8 } }],
    ),
  };
}

function heatmap(spec: ChartSpec, { look, narrow }: Drawing): Option {
  const found = heat(spec);
  const measure = columnOf(spec, spec.y[0] ?? "");
  const axis = (key: string, labels: readonly string[], gap: number): Option => ({
    ...axisLook(look),
    name: narrow && gap > 30 ? "" : heading(columnOf(spec, key)),
    nameLocation: "middle",
    nameGap: gap,
    type: "category",
    data: [...labels],
    axisLabel: {
      color: look.faint,
      fontSize: 11,
      hideOverlap: true,
      ...(found.isMap ? { interval: Math.ceil(labels.length / (narrow ? 4 : 8)) - 1 } : {}),
    },
  });
  return {
    grid: { left: 4, right: narrow ? 8 : 84, top: 8, bottom: narrow ? 48 : 4, outerBoundsMode: "same" },
    tooltip: { ...tip(look), trigger: "item", formatter: cellText(spec, found) },
    xAxis: axis(spec.x, found.across, 26),
    yAxis: { ...axis(spec.group, found.up, found.isMap ? 56 : 44), inverse: !found.isMap },
    visualMap: colourScale(found, measure.unit, look, narrow),
    series: [
      {
        name: heading(measure),
        type: "heatmap",
        data: found.cells.map((cell) => [...cell]),
        label: { show: !found.isMap && found.cells.length <= 100, color: "#fff", textBorderColor: "#0009", textBorderWidth: 3 },
        emphasis: { itemStyle: { borderColor: look.text, borderWidth: 1 } },
        progressive: 0,
      },
    ],
  };
}

/** What is said of the cell under the pointer: where it is, and its value. */
function cellText(spec: ChartSpec, found: Heat): (hit: { readonly data: HeatCell }) => string {
  const [across, up, measure] = [spec.x, spec.group, spec.y[0] ?? ""].map((key) => columnOf(spec, key));
  return ({ data: [x, y, value] }) =>
    [
      `${across?.title}: ${found.across[x] ?? ""}${across?.unit ?? ""}`,
      `${up?.title}: ${found.up[y] ?? ""}${up?.unit ?? ""}`,
      `${measure?.title}: ${Number(value.toPrecision(6))} ${measure?.unit ?? ""}`,
    ].join("\n");
}

function colourScale(found: Heat, unit: string, look: Look, narrow: boolean): Option {
  const place = narrow ? { orient: "horizontal", left: "center", bottom: 0 } : { orient: "vertical", right: 0, top: "middle" };
  return {
    ...place,
    type: "continuous",
    min: found.low,
    max: found.high > found.low ? found.high : found.low + 1,
    calculable: true,
    itemHeight: 140,
    itemWidth: 12,
    precision: precision(found.high - found.low),
    text: [unit, ""],
    textStyle: { color: look.faint },
    inRange: { color: [...look.scale] },
  };
}

function precision(span: number): number {
  return span >= 50 ? 0 : span >= 5 ? 1 : span >= 0.5 ? 2 : 4;
}

/** Drawn as text inside the picture: no HTML is made of what a tool said, and no style attribute is needed. */
function tip(look: Look): Option {
  return {
    renderMode: "richText",
    confine: true,
    backgroundColor: look.raised,
    borderColor: look.line,
    textStyle: { color: look.text, fontSize: 12 },
  };
}

function label(look: Look): Option {
  return { color: look.faint, hideOverlap: true, fontSize: 11 };
}

function axisLook(look: Look): Option {
  return {
    axisLine: { lineStyle: { color: look.line } },
    axisTick: { show: false },
    axisLabel: label(look),
    nameTextStyle: { color: look.faint, fontSize: 11 },
  };
}

function valueAxis(look: Look): Option {
  return { ...axisLook(look), type: "value", axisLine: { show: false }, splitLine: { lineStyle: { color: look.line } } };
}
