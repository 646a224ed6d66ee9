/** What a map draws, as paths in metres with north up. Pure functions. */

import type { MapBand, MapLayer, MapSector, MapSpec, MapStage } from "../../generated/api";

/** Which values are drawn. */
export type StageName = MapStage["stage"];

/** The values of a layer at a stage; empty when there are none. */
export function valuesOf(layer: MapLayer | undefined, stage: StageName): readonly (number | null)[] {
  return layer?.stages.find((one) => one.stage === stage)?.values ?? [];
}

/** The bands of a stage: a difference has its own. */
export function bandsOf(spec: MapSpec, stage: StageName): readonly MapBand[] {
  return stage === "difference" ? spec.difference_bands : spec.bands;
}

/** The place of the band that a value lies in; a value on an edge belongs to the band above. */
export function bandAt(bands: readonly MapBand[], value: number): number {
  const found = bands.findIndex(({ low, high }) => (low === null || value >= low) && (high === null || value < high));
  return found < 0 ? bands.length - 1 : found;
}

/** One path for the squares of each band. */
export function squarePaths(spec: MapSpec, values: readonly (number | null)[], bands: readonly MapBand[]): string[] {
  const { wide, high } = squareOf(spec);
  const paths = bands.map(() => "");
  values.forEach((value, at) => {
    if (value === null) return;
    const [x, y] = cornerOf(spec, at);
    paths[bandAt(bands, value)] += `M${metres(x)} ${metres(y)}h${metres(wide)}v${metres(high)}h${metres(-wide)}z`;
  });
  return paths;
}

/** The line between squares below a limit and the others. */
export function limitPath(spec: MapSpec, values: readonly (number | null)[], limit: number): string {
  const { wide, high } = squareOf(spec);
  const isBelow = (column: number, row: number): boolean => {
    if (column < 0 || column >= spec.columns || row < 0 || row >= spec.rows) return false;
    const value = values[row * spec.columns + column];
    return typeof value === "number" && value < limit;
  };
  let path = "";
  values.forEach((_, at) => {
    const [column, row] = [at % spec.columns, Math.floor(at / spec.columns)];
    const [x, y] = cornerOf(spec, at);
    if (column > 0 && isBelow(column, row) !== isBelow(column - 1, row)) path += `M${metres(x)} ${metres(y)}v${metres(high)}`;
    if (row > 0 && isBelow(column, row) !== isBelow(column, row - 1)) path += `M${metres(x)} ${metres(y + high)}h${metres(wide)}`;
  });
  return path;
}

/** The wedge of a sector around its site: as wide as its beam, in its direction. */
export function wedgePath(x: number, y: number, azimuth: number, beam: number, radius: number): string {
  const [from, to] = [azimuth - beam / 2, azimuth + beam / 2].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  const rim = (angle: number): string => `${metres(x + radius * Math.sin(angle))} ${metres(y - radius * Math.cos(angle))}`;
  return `M${metres(x)} ${metres(y)}L${rim(from)}A${metres(radius)} ${metres(radius)} 0 ${beam > 180 ? 1 : 0} 1 ${rim(to)}z`;
}

/** The direction of a sector at a stage. */
export function directionOf(sector: MapSector, stage: StageName): number {
  return stage === "before" ? sector.azimuth_deg : (sector.azimuth_after_deg ?? sector.azimuth_deg);
}

/** Rectangles as one path; they are given with north up, the picture counts downwards. */
export function groundPath(spec: MapSpec, rectangles: readonly (readonly number[])[]): string {
  return rectangles.map(([x = 0, y = 0, wide = 0, high = 0]) => `M${metres(x)} ${metres(spec.height_m - y - high)}h${wide}v${high}h${-wide}z`).join("");
}

/** The share of the squares in each band, in percent. */
export function sharesOf(values: readonly (number | null)[], bands: readonly MapBand[]): number[] {
  const counts = bands.map(() => 0);
  const known = values.filter((value) => value !== null);
  for (const value of known) counts[bandAt(bands, value)]! += 1;
  return counts.map((count) => (known.length ? (100 * count) / known.length : 0));
}

/** The square at a place of the picture, in metres from its upper left corner; null outside. */
export function squareAt(spec: MapSpec, x: number, y: number): number | null {
  const { wide, high } = squareOf(spec);
  const [column, row] = [Math.floor(x / wide), Math.floor((spec.height_m - y) / high)];
  return column < 0 || row < 0 || column >= spec.columns || row >= spec.rows ? null : row * spec.columns + column;
}

/** The upper left corner of a square in the picture. */
export function cornerOf(spec: MapSpec, at: number): [number, number] {
  const { wide, high } = squareOf(spec);
  return [(at % spec.columns) * wide, spec.height_m - (Math.floor(at / spec.columns) + 1) * high];
}

/** The size of a square in metres. */
export function squareOf(spec: MapSpec): { wide: number; high: number } {
  return { wide: spec.width_m / spec.columns, high: spec.height_m / spec.rows };
}

/** The middle of a square in degrees east and north. */
export function degreesOf(spec: MapSpec, at: number): [number, number] {
  const { wide, high } = squareOf(spec);
  const [x, y] = [((at % spec.columns) + 0.5) * wide, (Math.floor(at / spec.columns) + 0.5) * high];
  return [spec.west + x / (111_320 * Math.cos((spec.south * Math.PI) / 180)), spec.south + y / 110_574];
}

/** A round length that takes about a fifth of the width. */
export function scaleLength(spec: MapSpec): number {
  const wanted = spec.width_m / 5;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([5, 2, 1].find((step) => step * power <= wanted) ?? 1) * power;
}

function metres(value: number): number {
  return Math.round(value * 10) / 10;
}
