/** From rows to series and cells: what every kind of chart draws, before any library is asked. */

import { columnOf, heading, values, type Cell, type ChartSpec } from "./spec";

/** One line of a chart: a name and a value for each place along the bottom. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The places along the bottom, in order of first appearance, and the series over them. */
export interface Grouped {
  readonly places: readonly string[];
  readonly series: readonly Series[];
}

/** One cell of a heatmap: column, row, value. */
export type HeatCell = readonly [number, number, number];

/** A heatmap: the labels of both axes, its cells, and the least and greatest value. */
export interface Heat {
  readonly across: readonly string[];
  readonly up: readonly string[];
  readonly cells: readonly HeatCell[];
  readonly low: number;
  readonly high: number;
  readonly isMap: boolean;
}

const MOST_LINES = 100;

/**
 * The series of a bar or line chart: one per measure, or one per measure and group.
 *
 * A value that comes again at the same place of the same series gets a place of its own: nothing is added up or lost.
 */
export function grouped(spec: ChartSpec): Grouped {
  const xs = values(spec, spec.x);
  const names = seriesNames(spec);
  const seen = new Map<string, number>();
  const places = new Map<string, number>();
  const where = xs.map((x, row) => {
    const counted = `${label(x)}\u0000${names(row, "")}`;
    const times = seen.get(counted) ?? 0;
    seen.set(counted, times + 1);
    const place = `${label(x)}\u0000${times}`;
    if (!places.has(place)) places.set(place, places.size);
    return places.get(place) ?? 0;
  });
  const found = new Map<string, (number | null)[]>();
  for (const key of spec.y) {
    values(spec, key).forEach((value, row) => {
      const name = names(row, key);
      const line = found.get(name) ?? new Array<number | null>(places.size).fill(null);
      line[where[row] ?? 0] = typeof value === "number" ? value : null;
      found.set(name, line);
    });
  }
  const labels = [...places.keys()].map((place) => place.slice(0, place.indexOf("\u0000")));
  return { places: labels, series: [...found].map(([name, line]) => ({ name, values: line })) };
}

/** The points of a scatter chart, by series: each is [x, y]. */
export function scattered(spec: ChartSpec): { name: string; points: [number, number][] }[] {
  const xs = values(spec, spec.x);
  const names = seriesNames(spec);
  const found = new Map<string, [number, number][]>();
  for (const key of spec.y) {
    values(spec, key).forEach((value, row) => {
      const x = xs[row];
      if (typeof value !== "number" || typeof x !== "number") return;
      const points = found.get(names(row, key)) ?? [];
      points.push([x, value]);
      found.set(names(row, key), points);
    });
  }
  return [...found].map(([name, points]) => ({ name, points }));
}

/** The cells of a heatmap. Two axes of numbers make a map: sorted, upwards, and put into bins when there are too many. */
export function heat(spec: ChartSpec): Heat {
  const [xs, ys] = [values(spec, spec.x), values(spec, spec.group)];
  const isMap = allNumbers(xs) && allNumbers(ys);
  const across = axis(xs, isMap);
  const up = axis(ys, isMap);
  const sums = new Map<number, [number, number]>();
  values(spec, spec.y[0] ?? "").forEach((value, row) => {
    if (typeof value !== "number") return;
    const place = up.at(ys[row] ?? null) * across.labels.length + across.at(xs[row] ?? null);
    const [sum, count] = sums.get(place) ?? [0, 0];
    sums.set(place, [sum + value, count + 1]);
  });
  const width = across.labels.length;
  const cells = [...sums].map(([place, [sum, count]]): HeatCell => [place % width, Math.floor(place / width), sum / count]);
  const [low, high] = cells.reduce(([least, most], [, , value]) => [Math.min(least, value), Math.max(most, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const [least, most] = spec.range ?? (cells.length ? [low, high] : [0, 0]);
  return { across: across.labels, up: up.labels, cells, low: least, high: most, isMap };
}

interface Axis {
  readonly labels: string[];
  readonly at: (cell: Cell) => number;
}

function axis(cells: readonly Cell[], isMap: boolean): Axis {
  if (!isMap) {
    const at = indexOf(cells);
    return { labels: [...at.keys()], at: (cell) => at.get(label(cell)) ?? 0 };
  }
  const sorted = [...new Set(cells as number[])].sort((a, b) => a - b);
  if (sorted.length <= MOST_LINES) {
    const at = new Map(sorted.map((value, place) => [value, place]));
    return { labels: rounded(sorted), at: (cell) => at.get(cell as number) ?? 0 };
  }
  const low = sorted[0] ?? 0;
  const size = ((sorted.at(-1) ?? 0) - low) / MOST_LINES || 1;
  const middles = Array.from({ length: MOST_LINES }, (_, bin) => low + (bin + 0.5) * size);
  const at = (cell: Cell): number => Math.min(MOST_LINES - 1, Math.floor(((cell as number) - low) / size));
  return { labels: rounded(middles), at };
}

/** As few decimals as tell neighbours apart, with one to spare. */
function rounded(sorted: readonly number[]): string[] {
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  const step = span / Math.max(1, sorted.length - 1);
  const digits = step > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(step)))) : 4;
  const whole = sorted.every(Number.isInteger);
  return sorted.map((value) => (whole ? String(value) : value.toFixed(digits)));
}

/** Which series a value belongs to: its measure, its group, or both. */
function seriesNames(spec: ChartSpec): (row: number, key: string) => string {
  const groups = spec.group ? values(spec, spec.group) : null;
  const measured = spec.y.length > 1 || !groups;
  return (row, key) => {
    const measure = measured && key ? heading(columnOf(spec, key)) : "";
    return [measure, groups ? label(groups[row] ?? null) : ""].filter(Boolean).join(" · ");
  };
}

function indexOf(cells: readonly Cell[]): Map<string, number> {
  const at = new Map<string, number>();
  for (const cell of cells) if (!at.has(label(cell))) at.set(label(cell), at.size);
  return at;
}

function label(cell: Cell): string {
  return cell === null ? "–" : String(cell);
}

function allNumbers(cells: readonly Cell[]): boolean {
  return cells.length > 0 && cells.every((cell) => typeof cell === "number");
}
