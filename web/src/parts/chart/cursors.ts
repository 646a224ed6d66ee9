/** Upright lines over an axis of numbers: harmonics and side bands, with their names above the plot. */

import { laneHeight, labelLanes } from "./labels";
import { colourOf, type Drawing, type Option } from "./options";
import type { Cursor } from "./spec";

/** The lines as series, and how high their names stand above the plot. */
export interface CursorDrawing {
  readonly series: Option[];
  readonly height: number;
}

/** Upright lines as series without points, so that a reader may switch them off; the first is what the chart is about. */
export function drawCursors(cursors: readonly Cursor[], before: number, range: readonly [number, number], { look, hidden, narrow }: Drawing): CursorDrawing {
  const shown = cursors.map((one, row) => ({ ...one, row })).filter(({ title }) => !hidden.has(title));
  const places = placesOf(shown, range, narrow);
  const series = shown.map(({ title, at, sides, row }) => {
    const color = colourOf(look, before + row);
    const label = (number: number): Option => {
      const lane = places.get(`${row} ${number}`);
      return lane === undefined
        ? { show: false }
        : { show: true, color, fontSize: 10, position: "end", distance: [0, laneHeight(lane)], formatter: nameOf(title, number) };
    };
    const main = { color, type: row ? "dashed" : "solid", width: row ? 1 : 1.5, opacity: row ? 0.6 : 0.8 };
    const data = [
      ...at.map((xAxis, number) => ({ xAxis, label: label(number), lineStyle: main })),
      ...sides.map((xAxis) => ({ xAxis, label: { show: false }, lineStyle: { color, type: "dotted", width: 1, opacity: row ? 0.35 : 0.7 } })),
    ];
    return { name: title, type: "line", data: [], color, markLine: { symbol: "none", silent: true, animation: false, z: 1, data } };
  });
  return { series, height: places.size ? laneHeight(Math.max(...places.values()) + 1) : 0 };
}

/** The lane of each name that has room, by row and number: those of the first line, then the first of each other, then the rest. */
function placesOf(shown: readonly (Cursor & { row: number })[], range: readonly [number, number], narrow: boolean): Map<string, number> {
  const all = shown.flatMap(({ title, at, row }) => at.map((place, number) => ({ key: `${row} ${number}`, text: nameOf(title, number), at: place, rank: row && number ? 2 : row ? 1 : 0 })));
  const ranked = all.filter((one) => one.at >= range[0] && one.at <= range[1]).toSorted((a, b) => a.rank - b.rank);
  const lanes = labelLanes(ranked, range, narrow);
  return new Map(ranked.flatMap(({ key }, at) => (typeof lanes[at] === "number" ? [[key, lanes[at]] as const] : [])));
}

function nameOf(title: string, number: number): string {
  return number ? String(number + 1) : title;
}
