import type { Column } from "../generated/api";

/** Columns that place or number a row rather than tell something of it: coordinates, ids, digests. */
const DETAIL = /^(?:lon|lng|lat|longitude|latitude|x|y|z|x_m|y_m|经度|纬度|坐标|uuid|guid|digest|hash|(?:\w+_)?ids?)$/i;

/** Places of the columns in the order in which people read them: the name of the row, what is told of it, coordinates and ids last. */
export function readingOrder(columns: readonly Column[]): number[] {
  const places = columns.map((_, at) => at);
  const isDetail = (at: number): boolean => at > 0 && DETAIL.test((columns[at]?.key ?? "").trim());
  return [...places.filter((at) => !isDetail(at)), ...places.filter(isDetail)];
}
