/** Words along the axes and above the lines of a chart: as many as fit, and none over another. */

/** Places of the plot in pixels, about: a chart knows its size only when it is drawn. */
const WIDE = 580;
const NARROW = 280;
/** So many pixels apart, lines of words do not touch. */
const APART = 12;
const LANES = 4;
/** Letters above a line are a pixel lower than those along the axis. */
const SMALL = 10 / 11;

/** Pixels of the plot from left to right. */
export function plotWidth(narrow: boolean): number {
  return narrow ? NARROW : WIDE;
}

/** Pixels of a label, about: Chinese characters are as wide as high. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (char > "\u2e7f" ? 11 : 6.5), 0);
}

/** How far names along the axis are turned, so that none is over the next: 0 where they fit side by side. */
export function labelTurn(places: readonly string[], narrow: boolean): number {
  const room = plotWidth(narrow) / places.length;
  if (places.every((place) => widthOf(place) <= room - 6)) return 0;
  return [30, 45].find((turn) => room * Math.sin((turn * Math.PI) / 180) >= APART) ?? 90;
}

/** Words that want to stand above an upright line. */
export interface LineLabel {
  readonly text: string;
  readonly at: number;
}

/** The lane above the plot of each label, counted from the plot; null for one that would stand over another. The first ones choose first. */
export function labelLanes(labels: readonly LineLabel[], range: readonly [number, number], narrow: boolean): (number | null)[] {
  const scale = plotWidth(narrow) / (range[1] - range[0] || 1);
  const lanes: [number, number][][] = Array.from({ length: LANES }, () => []);
  return labels.map(({ text, at }) => {
    const half = (widthOf(text) * SMALL + 6) / 2;
    const [from, to] = [at * scale - half, at * scale + half];
    const lane = lanes.findIndex((taken) => taken.every(([start, end]) => to <= start || from >= end));
    lanes[lane]?.push([from, to]);
    return lane < 0 ? null : lane;
  });
}

/** How high a lane stands above the plot. */
export function laneHeight(lane: number): number {
  return 2 + APART * lane;
}
